package main

func Example() {
	main()
	// Output:
	// [7 10 15 22]
	// [7 15] [0 0]
}
