//go:build race

package opwright_test

// few divides how often things are done, since they take longer while races are looked for.
const few = 20
