// Package policies embeds the Rego policies. It holds no logic: the rules are
// in the folders beside this file, one rule a package, one package a file, its
// tests next to it.
package policies

import "embed"

// FS holds every built-in module, tests included.
//
//go:embed */*.rego
var FS embed.FS
