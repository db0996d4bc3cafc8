// Command proxy writes the SDK's module into a folder as a module proxy serves it, which is how
// users get it:
//
//	go run ./proxy v1.2.3 FOLDER
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const sdk = ".."

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: proxy VERSION FOLDER")
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func write(version, folder string) error {
	mod, err := os.ReadFile(filepath.Join(sdk, "go.mod"))
	if err != nil {
		return err
	}
	served := module.Version{Path: modfile.ModulePath(mod), Version: version}
	escaped, err := module.EscapePath(served.Path)
	if err != nil {
		return err
	}
	target := filepath.Join(folder, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	files := map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, "{\"Version\":%q}\n", version),
		version + ".mod":  mod,
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(target, name), content, 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(target, version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, served, sdk); err != nil {
		return err
	}
	return archive.Close()
}
