// Renders the templates of a chart with the template engine of Helm and those of its functions that the chart uses. Values come as JSON from
// standard input; maps are written as JSON, which is YAML.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"text/template"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var data map[string]interface{}
	fail(json.NewDecoder(os.Stdin).Decode(&data))
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(template.FuncMap{
		"include": func(name string, about interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, about)
			return text.String(), err
		},
		"nindent": func(count int, text string) string {
			indent := "\n" + strings.Repeat(" ", count)
			return indent + strings.ReplaceAll(text, "\n", indent)
		},
		"quote": func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"toYaml": func(value interface{}) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"default": func(otherwise interface{}, value interface{}) interface{} {
			if value == nil || reflect.ValueOf(value).IsZero() {
				return otherwise
			}
			return value
		},
	})
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*"))
	fail(err)
	_, err = all.ParseFiles(files...)
	fail(err)
	for _, file := range files {
		if filepath.Ext(file) == ".yaml" {
			fmt.Println("---")
			fail(all.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}
