//go:build !cgo

package main

// seesClosed tells tests whether this build can tell.
const seesClosed = false

// closedAtStart cannot be told without cgo: what the runtime opens in the place of
// a closed output looks like the /dev/null that many programs give their children.
func closedAtStart() bool { return false }
