package opwright_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folders has every package with names that other people see.
var folders = []string{".", "linalg", "fft", "special", "nn", "nn/functional", "optim", "gotorch"}

// declaredNames visits the names that a file declares, with what they are.
func declaredNames(file *ast.File, visit func(name *ast.Ident)) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch it := node.(type) {
		case *ast.FuncDecl:
			visit(it.Name)
		case *ast.TypeSpec:
			visit(it.Name)
		case *ast.Field:
			for _, name := range it.Names {
				visit(name)
			}
		case *ast.ValueSpec:
			for _, name := range it.Names {
				visit(name)
			}
		case *ast.AssignStmt:
			for _, left := range it.Lhs {
				if name, ok := left.(*ast.Ident); ok && it.Tok == token.DEFINE {
					visit(name)
				}
			}
		}
		return true
	})
}

// What linters for Go want in capitals, where a word of a name begins with it and ends.
var spelledOut = regexp.MustCompile(`(Fft|Ifft|Rfft|Irfft|Rms|Svd|Mse|Nll|Ctc|Lstm|Gru|Json|Url|Http|Api|Cpu)([A-Z0-9]|$)|Id([A-Z]|$)`)

func TestNamesAreThoseOfGo(t *testing.T) {
	for _, folder := range folders {
		set, files := sources(t, folder)
		for _, file := range files {
			declaredNames(file, func(name *ast.Ident) {
				if strings.Contains(strings.Trim(name.Name, "_"), "_") || strings.HasSuffix(name.Name, "_") && name.Name != "_" {
					t.Errorf("%s: %s has an underscore", set.Position(name.Pos()), name.Name)
				}
				if found := spelledOut.FindString(name.Name); found != "" {
					t.Errorf("%s: %s: %s is not in capitals", set.Position(name.Pos()), name.Name, found)
				}
			})
		}
	}
}

func TestReceiversHaveOneLetter(t *testing.T) {
	for _, folder := range folders {
		set, files := sources(t, folder)
		receivers := map[string][]string{}
		for _, file := range files {
			for _, decl := range file.Decls {
				function, ok := decl.(*ast.FuncDecl)
				if !ok || function.Recv == nil || len(function.Recv.List[0].Names) == 0 {
					continue
				}
				name := function.Recv.List[0].Names[0].Name
				of := strings.TrimPrefix(receiverType(function.Recv.List[0].Type), "*")
				if len(name) != 1 {
					t.Errorf("%s: the receiver %s of %s", set.Position(function.Pos()), name, of)
				}
				if !slices.Contains(receivers[of], name) {
					receivers[of] = append(receivers[of], name)
				}
			}
		}
		for of, names := range receivers {
			if len(names) > 1 {
				t.Errorf("%s: receivers of %s have several names: %v", folder, of, names)
			}
		}
	}
}

func receiverType(expr ast.Expr) string {
	switch it := expr.(type) {
	case *ast.StarExpr:
		return receiverType(it.X)
	case *ast.IndexExpr:
		return receiverType(it.X)
	case *ast.Ident:
		return it.Name
	}
	return "?"
}
