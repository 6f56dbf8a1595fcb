package opwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// sources are the files of the package, without tests.
func sources(t *testing.T, folder string) (*token.FileSet, []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no sources:", err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return set, files
}

// called is what a call calls, such as C.ow_mm, and whether it can be said.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok {
			return of.Name + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}

// callsIn visits all calls in a node.
func callsIn(node ast.Node, visit func(call *ast.CallExpr, name string)) {
	ast.Inspect(node, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			visit(call, called(call))
		}
		return true
	})
}

// lent counts the Tensors, Generators and Storages that a printed function lends to C, and those
// that it keeps alive. A slice is one of each.
func lent(body *ast.BlockStmt) (lent, kept int) {
	callsIn(body, func(call *ast.CallExpr, name string) {
		selector, isMethod := call.Fun.(*ast.SelectorExpr)
		switch {
		case isMethod && selector.Sel.Name == "c" && len(call.Args) == 2, name == "handles":
			lent++
		case isMethod && selector.Sel.Name == "done", name == "keep", name == "done":
			kept++
		}
	})
	return lent, kept
}

func TestG19EveryArgumentIsKeptAlive(t *testing.T) {
	set, files := sources(t, ".")
	functions, arguments := 0, 0
	for _, file := range files {
		if !strings.HasSuffix(set.Position(file.Pos()).Filename, "functions_gen.go") {
			continue
		}
		for _, decl := range file.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			functions++
			lent, kept := lent(function.Body)
			arguments += lent
			if lent != kept {
				t.Errorf("%s lends %d arguments to C, and keeps %d alive", function.Name.Name, lent, kept)
			}
		}
	}
	if functions < 900 || arguments < functions {
		t.Errorf("there are only %d functions with %d arguments that C borrows", functions, arguments)
	}
}

func TestKeepAliveFollowsTheCall(t *testing.T) {
	_, files := sources(t, ".")
	for _, file := range files {
		for _, decl := range file.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			keptUntil, mustAt := token.NoPos, token.NoPos
			deferred := false
			ast.Inspect(function.Body, func(node ast.Node) bool {
				if it, ok := node.(*ast.DeferStmt); ok && called(it.Call) == "runtime.KeepAlive" {
					deferred = true
				}
				return true
			})
			callsIn(function.Body, func(call *ast.CallExpr, name string) {
				switch name {
				case "runtime.KeepAlive", "keep":
					keptUntil = max(keptUntil, call.Pos())
				case "must", "mustOf":
					mustAt = max(mustAt, call.Pos())
				}
			})
			if !deferred && keptUntil != token.NoPos && mustAt != token.NoPos && keptUntil > mustAt {
				t.Errorf("%s looks at the error before it keeps its arguments alive", function.Name.Name)
			}
		}
	}
}

func TestG22TextsAreFreed(t *testing.T) {
	_, files := sources(t, ".")
	for _, file := range files {
		for _, decl := range file.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			callsIn(function.Body, func(_ *ast.CallExpr, name string) {
				if name == "C.CString" && function.Name.Name != "withString" {
					t.Errorf("%s makes a text of C, which is withString's to do", function.Name.Name)
				}
			})
		}
	}
}

func TestG28OnlyOneFileSaysWhereTheLibraryIs(t *testing.T) {
	set, files := sources(t, ".")
	for _, file := range files {
		name := filepath.Base(set.Position(file.Pos()).Filename)
		for _, group := range file.Comments {
			for _, line := range strings.Split(group.Text(), "\n") {
				isPlace := strings.Contains(line, "LDFLAGS") || strings.Contains(line, "CFLAGS") || strings.Contains(line, "pkg-config:")
				if strings.HasPrefix(line, "#cgo") && isPlace && name != "cgo.go" {
					t.Errorf("%s says where the library is: %s", name, line)
				}
			}
		}
	}
}

func TestEveryExportedNameHasAComment(t *testing.T) {
	for _, folder := range []string{".", "nn", "nn/functional", "optim", "linalg", "fft", "special", "gotorch"} {
		if paths, _ := filepath.Glob(filepath.Join(folder, "*.go")); len(paths) == 0 {
			continue
		}
		set, files := sources(t, folder)
		for _, file := range files {
			for _, decl := range file.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s: %s has no comment", set.Position(decl.Pos()), name)
				}
			}
		}
	}
}

func undocumented(decl ast.Decl) (names []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Name.IsExported() && decl.Doc == nil && isPublic(decl) {
			names = append(names, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && decl.Doc == nil && spec.Doc == nil {
					names = append(names, spec.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// isPublic says whether a function is no method, or one of an exported type.
func isPublic(function *ast.FuncDecl) bool {
	if function.Recv == nil {
		return true
	}
	receiver := function.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}
