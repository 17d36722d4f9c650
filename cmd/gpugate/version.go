package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by the linker when a release is built.
var release = ""

// developmentVersion is what a build from a checkout calls itself.
const developmentVersion = "0.1.0-dev"

// version is that of this program.
func version() string {
	if release != "" {
		return release
	}
	return developmentVersion
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version, the commit it was built from, and the platform.",
		Args:  noArguments(""),
		RunE: func(*cobra.Command, []string) error {
			return a.deliver([]content{{text: []byte(versionText())}})
		},
	}
}

// versionText is one line: version, commit, Go, platform.
func versionText() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("gpugate %s%s %s %s/%s\n", version(), revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
