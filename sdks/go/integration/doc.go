// Package integration tests the receivers with real frameworks and the stores with real databases. It is a
// module of its own, so that the SDK depends on none of them.
package integration
