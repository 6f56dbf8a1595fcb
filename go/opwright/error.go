package opwright

/*
#cgo noescape ow_error_free
#cgo nocallback ow_error_free
#include <opwright.h>
*/
import "C"

import (
	"fmt"
	"strings"
)

// ErrorKind says what sort of mistake an [Error] is. It is an error itself, so that
// errors.Is(err, opwright.ErrIndex) asks for it.
type ErrorKind int

// String is the name of the kind, such as RuntimeError.
func (k ErrorKind) String() string {
	return C.GoString(C.ow_error_kind_name(C.ow_error_kind(k)))
}

// Error is the name of the kind.
func (k ErrorKind) Error() string { return k.String() }

// Error is what every function of this package panics with, and what [Try] returns.
type Error struct {
	Kind    ErrorKind
	Op      string // the operator or function that failed
	Message string // "mm(): ..."
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Is says whether the target is the error's [ErrorKind], for errors.Is.
func (e *Error) Is(target error) bool {
	kind, ok := target.(ErrorKind)
	return ok && kind == e.Kind
}

// Try calls f and returns its result. A panic with an [*Error] becomes the error; any other goes on.
func Try[T any](f func() T) (result T, err error) {
	defer caught(&err)
	return f(), nil
}

// Try2 is [Try] for functions of two results.
func Try2[A, B any](f func() (A, B)) (a A, b B, err error) {
	defer caught(&err)
	a, b = f()
	return a, b, nil
}

// Do is [Try] for functions without a result.
func Do(f func()) (err error) {
	defer caught(&err)
	f()
	return nil
}

func caught(err *error) {
	switch thrown := recover().(type) {
	case nil:
	case *Error:
		*err = thrown
	default:
		panic(thrown)
	}
}

// must panics with the error of a call, if there is one.
func must(err *C.ow_error) {
	if err != nil {
		panic(taken(err))
	}
}

// mustOf is must for a function that is called otherwise in C: the error names that of Go.
func mustOf(op string, err *C.ow_error) {
	if err == nil {
		return
	}
	taken := taken(err)
	if why, ok := strings.CutPrefix(taken.Message, taken.Op+"()"); ok {
		taken.Message = op + "()" + why
	}
	taken.Op = op
	panic(taken)
}

func taken(err *C.ow_error) *Error {
	taken := &Error{Kind: ErrorKind(err.kind), Message: C.GoString(err.message)}
	if err.op != nil {
		taken.Op = C.GoString(err.op)
	}
	C.ow_error_free(err)
	return taken
}

// fail panics with an error of the package itself, whose text begins with the function's name.
func fail(kind ErrorKind, op, format string, arguments ...any) {
	panic(&Error{Kind: kind, Op: op, Message: op + "(): " + fmt.Sprintf(format, arguments...)})
}
