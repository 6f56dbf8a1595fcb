/* Asks whether a compiler and its libraries work. */
int main(void) { return 0; }
