// Command surface prints, as JSON, the exported API of the packages of a module, in the form of the files in Go's
// own folder api: a declaration a line, and each line says all of it. Names of parameters are left out,
// because callers cannot use them, and so are the values of constants. Beside it is what the reference shows.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	var all printed
	for _, folder := range os.Args[1:] {
		found, err := load(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		all.Lines = append(all.Lines, found.Lines...)
		all.Items = append(all.Items, found.Items...)
	}
	slices.Sort(all.Lines)
	all.Lines = slices.Compact(all.Lines)
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		os.Exit(1)
	}
}

type printed struct {
	Lines []string `json:"surface"`
	Items []item   `json:"items"`
}

// load returns what is in all packages of the module in a folder that others can import.
func load(folder string) (printed, error) {
	var all printed
	config := &packages.Config{Dir: folder, Mode: packages.LoadSyntax}
	found, err := packages.Load(config, "./...")
	if err != nil {
		return all, err
	}
	for _, one := range found {
		if len(one.Errors) > 0 {
			return all, one.Errors[0]
		}
		if one.Name == "main" || strings.Contains(one.PkgPath, "internal") {
			continue
		}
		of := surface{one.Types, nil}
		of.scope()
		all.Lines = append(all.Lines, of.lines...)
		all.Items = append(all.Items, referenceOf(one)...)
	}
	return all, nil
}

type surface struct {
	of    *types.Package
	lines []string
}

func (s *surface) add(format string, arguments ...any) {
	s.lines = append(s.lines, "pkg "+s.of.Name()+", "+fmt.Sprintf(format, arguments...))
}

// text spells a type. Types of the package itself need no name of a package.
func (s *surface) text(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == s.of {
			return ""
		}
		return other.Name()
	})
}

func (s *surface) scope() {
	scope := s.of.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			s.add("const %s %s", name, s.text(object.Type()))
		case *types.Var:
			s.add("var %s %s", name, s.text(object.Type()))
		case *types.Func:
			s.add("func %s%s", name, s.signature(object.Signature()))
		case *types.TypeName:
			s.typeName(object)
		}
	}
}

func (s *surface) typeName(object *types.TypeName) {
	if object.IsAlias() {
		s.add("type %s = %s", object.Name(), s.text(types.Unalias(object.Type())))
		return
	}
	named, ok := object.Type().(*types.Named)
	if !ok {
		return
	}
	head := object.Name() + s.parameters(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Struct:
		s.add("type %s struct", head)
		s.fields(head, under)
	case *types.Interface:
		s.inner(head, under)
	default:
		s.add("type %s %s", head, s.text(under))
	}
	s.methods(named)
}

func (s *surface) fields(head string, of *types.Struct) {
	for field := range of.Fields() {
		if !field.Exported() {
			continue
		}
		if field.Embedded() {
			s.add("type %s struct, embedded %s", head, s.text(field.Type()))
		} else {
			s.add("type %s struct, %s %s", head, field.Name(), s.text(field.Type()))
		}
	}
}

func (s *surface) inner(head string, of *types.Interface) {
	if of.NumMethods() == 0 {
		s.add("type %s %s", head, s.text(of))
		return
	}
	s.add("type %s interface", head)
	for method := range of.Methods() {
		if method.Exported() {
			s.add("type %s interface, %s%s", head, method.Name(), s.signature(method.Signature()))
		} else {
			// Only the package itself can implement it.
			s.add("type %s interface, unexported methods", head)
		}
	}
}

// methods lists those of the type, and those that it gets from fields that are not exported.
func (s *surface) methods(named *types.Named) {
	if types.IsInterface(named) {
		return
	}
	values := types.NewMethodSet(named)
	for selection := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		method := selection.Obj().(*types.Func)
		if !method.Exported() || !own(named, selection) {
			continue
		}
		pointer := "*"
		if values.Lookup(method.Pkg(), method.Name()) != nil {
			pointer = ""
		}
		receiver := pointer + named.Obj().Name() + arguments(named)
		signature := selection.Type().(*types.Signature)
		s.add("method (%s) %s%s", receiver, method.Name(), s.signature(signature))
	}
}

func own(named *types.Named, selection *types.Selection) bool {
	if len(selection.Index()) == 1 {
		return true
	}
	fields, ok := named.Underlying().(*types.Struct)
	return ok && !fields.Field(selection.Index()[0]).Exported()
}

func arguments(named *types.Named) string {
	var names []string
	for parameter := range named.TypeParams().TypeParams() {
		names = append(names, parameter.Obj().Name())
	}
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (s *surface) parameters(of *types.TypeParamList) string {
	var list []string
	for parameter := range of.TypeParams() {
		list = append(list, parameter.Obj().Name()+" "+s.text(parameter.Constraint()))
	}
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (s *surface) signature(of *types.Signature) string {
	var text bytes.Buffer
	text.WriteString(s.parameters(of.TypeParams()))
	text.WriteString("(")
	for index := range of.Params().Len() {
		if index > 0 {
			text.WriteString(", ")
		}
		last := of.Params().At(index).Type()
		if slice, ok := last.(*types.Slice); ok && of.Variadic() && index == of.Params().Len()-1 {
			text.WriteString("..." + s.text(slice.Elem()))
		} else {
			text.WriteString(s.text(last))
		}
	}
	text.WriteString(")")
	switch results := of.Results(); results.Len() {
	case 0:
	case 1:
		text.WriteString(" " + s.text(results.At(0).Type()))
	default:
		var list []string
		for result := range results.Variables() {
			list = append(list, s.text(result.Type()))
		}
		text.WriteString(" (" + strings.Join(list, ", ") + ")")
	}
	return text.String()
}
