package main

import (
	"go/ast"
	"go/doc/comment"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
)

// docLink is how the printer spells a link to a name.
var docLink = regexp.MustCompile(`\[(?:\\?\*)?([\w./]+)\]\([^)]*\)`)

// item is what the reference shows of a declaration.
type item struct {
	Name    string   `json:"name"`
	From    string   `json:"from"`
	File    string   `json:"file"`
	Kind    string   `json:"kind"`
	Code    string   `json:"code"`
	Doc     string   `json:"doc"`
	Members []member `json:"members"`
}

type member struct {
	Name string `json:"name"`
	Mark string `json:"mark"`
	Kind string `json:"kind"`
	Code string `json:"code"`
	Doc  string `json:"doc"`
}

// reference collects the items of a package. What it lists is what the surface lists, with names of parameters, values
// of constants and comments.
type reference struct {
	of    *packages.Package
	docs  map[token.Pos]string
	items []item
	types map[string]int
}

func referenceOf(of *packages.Package) []item {
	r := reference{of, map[token.Pos]string{}, nil, map[string]int{}}
	for _, file := range of.Syntax {
		ast.Inspect(file, r.note)
	}
	scope := of.Types.Scope()
	for _, name := range scope.Names() {
		if object, ok := scope.Lookup(name).(*types.TypeName); ok && object.Exported() {
			r.types[name] = len(r.items)
			r.items = append(r.items, r.typeName(object))
		}
	}
	for _, name := range scope.Names() {
		if object := scope.Lookup(name); object.Exported() {
			r.value(object)
		}
	}
	return r.items
}

// note keeps the comments of a node, by the positions of the names that they explain.
func (r *reference) note(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.FuncDecl:
		r.docs[node.Name.Pos()] = node.Doc.Text()
		return false
	case *ast.GenDecl:
		for _, spec := range node.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				r.docs[spec.Name.Pos()] = first(spec.Doc, spec.Comment, node.Doc)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					r.docs[name.Pos()] = first(spec.Doc, spec.Comment, single(node))
				}
			}
		}
	case *ast.Field:
		for _, name := range node.Names {
			r.docs[name.Pos()] = first(node.Doc, node.Comment)
		}
	}
	return true
}

// single returns the comment of a declaration that declares one name.
func single(of *ast.GenDecl) *ast.CommentGroup {
	if len(of.Specs) > 1 {
		return nil
	}
	return of.Doc
}

func first(groups ...*ast.CommentGroup) string {
	for _, group := range groups {
		if text := group.Text(); text != "" {
			return text
		}
	}
	return ""
}

func (r *reference) text(t types.Type) string {
	return (&surface{r.of.Types, nil}).text(t)
}

// doc returns the comment of a declaration as Markdown, in which a name in brackets is code.
func (r *reference) doc(object types.Object) string {
	var parser comment.Parser
	parser.LookupSym = func(_, _ string) bool { return true }
	printer := comment.Printer{
		HeadingLevel:   4,
		HeadingID:      func(*comment.Heading) string { return "" },
		DocLinkBaseURL: "#",
	}
	text := string(printer.Markdown(parser.Parse(r.docs[object.Pos()])))
	return strings.TrimSpace(docLink.ReplaceAllString(strings.ReplaceAll(text, "\\`", "`"), "`$1`"))
}

func (r *reference) item(object types.Object, kind, code string) item {
	file := r.of.Fset.Position(object.Pos()).Filename
	return item{object.Name(), r.of.PkgPath, filepath.Base(file), kind, code, r.doc(object), []member{}}
}

func (r *reference) member(object types.Object, kind, code string) member {
	return member{object.Name(), ".", kind, code, r.doc(object)}
}

func (r *reference) typeName(object *types.TypeName) item {
	if object.IsAlias() {
		return r.item(object, "type", "type "+object.Name()+" = "+r.text(types.Unalias(object.Type())))
	}
	named := object.Type().(*types.Named)
	head := "type " + object.Name() + (&surface{r.of.Types, nil}).parameters(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Struct:
		found := r.item(object, "class", head+" struct")
		for field := range under.Fields() {
			if field.Exported() {
				found.Members = append(found.Members, r.member(field, "field", r.text(field.Type())))
			}
		}
		found.Members = append(found.Members, r.methods(named)...)
		return found
	case *types.Interface:
		found := r.item(object, "type", head+" interface")
		for method := range under.Methods() {
			if method.Exported() {
				found.Members = append(found.Members, r.member(method, "method", method.Name()+r.signature(method)))
			}
		}
		return found
	default:
		found := r.item(object, "type", head+" "+r.text(under))
		found.Members = append(found.Members, r.methods(named)...)
		return found
	}
}

// methods lists those that the surface lists.
func (r *reference) methods(named *types.Named) []member {
	var found []member
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
		signature := types.TypeString(selection.Type(), r.qualified)
		code := "func (" + receiver + ") " + method.Name() + strings.TrimPrefix(signature, "func")
		found = append(found, r.member(method, "method", code))
	}
	return found
}

func (r *reference) signature(of *types.Func) string {
	return strings.TrimPrefix(types.TypeString(of.Type(), r.qualified), "func")
}

func (r *reference) qualified(other *types.Package) string {
	if other == r.of.Types {
		return ""
	}
	return other.Name()
}

// value adds a function, a constant or a variable. Constants belong to their type.
func (r *reference) value(object types.Object) {
	switch object := object.(type) {
	case *types.Func:
		r.items = append(r.items, r.item(object, "function", "func "+object.Name()+r.signature(object)))
	case *types.Var:
		r.items = append(r.items, r.item(object, "constant", "var "+object.Name()+" "+r.text(object.Type())))
	case *types.Const:
		code := object.Val().ExactString()
		if named, ok := object.Type().(*types.Named); ok {
			if index, ok := r.types[named.Obj().Name()]; ok && named.Obj().Pkg() == r.of.Types {
				r.items[index].Members = append(r.items[index].Members, r.member(object, "value", code))
				return
			}
		}
		declared := "const " + object.Name()
		if object.Name() != "Version" {
			declared += " = " + code
		}
		r.items = append(r.items, r.item(object, "constant", declared))
	}
}
