package main

import (
	"encoding/json"
	"fmt"
	"log"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// forms are how the messages look in JSON whose Go types write their own. The envelope is never seen in JSON.
var forms = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                       "time",
	reflect.TypeFor[metav1.MicroTime]():                                  "microTime",
	reflect.TypeFor[metav1.Duration]():                                   "duration",
	reflect.TypeFor[resource.Quantity]():                                 "quantity",
	reflect.TypeFor[intstr.IntOrString]():                                "intOrString",
	reflect.TypeFor[runtime.Unknown]():                                   "object",
	reflect.TypeFor[runtime.RawExtension]():                              "rawExtension",
	reflect.TypeFor[metav1.FieldsV1]():                                   "raw",
	reflect.TypeFor[apiextensionsv1.JSON]():                              "raw",
	reflect.TypeFor[apiextensionsv1beta1.JSON]():                         "raw",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():             "schemaOrBool",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():            "schemaOrArray",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrArray]():       "schemaOrArray",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray]():      "schemaOrStrings",
	reflect.TypeFor[apiextensionsv1beta1.JSONSchemaPropsOrStringArray](): "schemaOrStrings",
}

// ownFields are those of messages that Go decodes by hand, so that their structs have no tags.
var ownFields = map[string]string{
	"time":         "1l:seconds 2i:nanos",
	"microTime":    "1l:seconds 2i:nanos",
	"quantity":     "1s:string=String_",
	"intOrString":  "1l:type 2i:intVal 3s:strVal",
	"list":         "1[]s:items",
	"raw":          "1y:raw",
	"rawExtension": "1y:raw",
}

var marshalerType = reflect.TypeFor[json.Marshaler]()

type table struct {
	numbers  map[reflect.Type]int
	messages []string
}

// describe prints `PACKAGE.NAME[!FORM] FIELD…` per message, the envelope first, then, after an empty line, a
// line `GROUP/VERSION KIND=MESSAGE…` per version; kinds that are the same in each are of the version `*`.
//
// FIELD is NUMBER [*|[]|{}] TYPE [~ GO TYPE] [?|!] : JSON [= GO]: a pointer, a list or a map of a TYPE, left out if empty (?)
// or zero (!). TYPE is s(tring) b(ool) i(nt32) l(ong, int64) d(ouble) y (bytes) or the number of a message. GO TYPE is what
// Go calls it in errors, where that is another name than follows from the TYPE. Without a JSON name the message's fields
// stand among those of its parent. GO is the field's name in Go, where it is not JSON's capitalised.
func describe(kinds []kind) string {
	t := &table{numbers: map[reflect.Type]int{}}
	t.message(reflect.TypeFor[runtime.Unknown]())
	versions := []string{}
	byVersion := map[string][]string{}
	for _, k := range kinds {
		version := k.GroupVersion().String()
		if k.isUnversioned() {
			version = "*"
		}
		if byVersion[version] == nil {
			versions = append(versions, version)
		}
		byVersion[version] = append(byVersion[version], fmt.Sprintf("%s=%d", k.Kind, t.message(k.Type)))
	}
	lines := append(t.messages, "")
	for _, version := range versions {
		lines = append(lines, version+" "+strings.Join(byVersion[version], " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

func (t *table) message(of reflect.Type) int {
	if known, ok := t.numbers[of]; ok {
		return known
	}
	number := len(t.messages)
	t.numbers[of] = number
	t.messages = append(t.messages, "")
	name, fields := of.Name(), []string{}
	form := forms[of]
	if form == "" && of.Kind() == reflect.Slice {
		form = "list"
	}
	if form == "" && of.Implements(marshalerType) {
		log.Fatalf("%v has a JSON form of its own", of)
	}
	if own, ok := ownFields[form]; ok {
		fields = append(fields, own)
	} else {
		for i := range of.NumField() {
			if text := t.field(of.Field(i)); text != "" {
				fields = append(fields, text)
			}
		}
	}
	if form == "time" || form == "microTime" {
		// The message that Go reads for it, and names in errors.
		name = "Timestamp"
	}
	if form != "" && form != "object" {
		name += "!" + form
	}
	pkg, _, _ := strings.Cut(of.String(), ".")
	t.messages[number] = strings.TrimSpace(pkg + "." + name + " " + strings.Join(fields, " "))
	return number
}

func (t *table) field(f reflect.StructField) string {
	tag := f.Tag.Get("protobuf")
	if tag == "" || tag == "-" {
		return ""
	}
	number := strings.Split(tag, ",")[1]
	if _, err := strconv.Atoi(number); err != nil {
		log.Fatalf("%s: %s", f.Name, tag)
	}
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	left := ""
	if strings.Contains(options, "omitzero") {
		if forms[f.Type] != "time" {
			log.Fatalf("%s: omitzero is known of times only", f.Name)
		}
		left = "!"
	} else if strings.Contains(options, "omitempty") && f.Type.Kind() != reflect.Struct {
		left = "?"
	}
	if name == "" && !f.Anonymous {
		name = f.Name
	}
	text := number + t.typed(f.Type) + goType(f.Type) + left + ":" + name
	if goName := strings.TrimSuffix(f.Name, "_"); capitalised(name) != goName || goName != f.Name {
		text += "=" + f.Name
	}
	return text
}

func (t *table) typed(of reflect.Type) string {
	if isMessage(of) {
		return "m" + strconv.Itoa(t.message(of))
	}
	switch of.Kind() {
	case reflect.Pointer:
		return "*" + t.typed(of.Elem())
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		return "[]" + t.typed(of.Elem())
	case reflect.Map:
		if of.Key().Kind() != reflect.String {
			log.Fatalf("%v: keys are not texts", of)
		}
		return "{}" + t.typed(of.Elem())
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int32:
		return "i"
	case reflect.Int64:
		return "l"
	case reflect.Float64:
		return "d"
	}
	log.Fatalf("%v: no such type is known", of)
	return ""
}

// goType is empty where the name follows from the type.
func goType(of reflect.Type) string {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if name := of.String(); name != derived(of) {
		return "~" + name
	}
	return ""
}

func derived(of reflect.Type) string {
	if isMessage(of) {
		return of.String()
	}
	switch of.Kind() {
	case reflect.Slice:
		return "[]" + derived(of.Elem())
	case reflect.Map:
		return "map[string]" + derived(of.Elem())
	}
	return of.Kind().String()
}

func capitalised(name string) string {
	if name == "" {
		return ""
	}
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}
