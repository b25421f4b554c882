extension FormCheckTests.Case {
    static let all: [FormCheckTests.Case] = reading + names + lists + values + expressions + circles + warnings

    private static func questions(_ lines: String...) -> String {
        "form: f\nquestions:\n" + lines.map { "  " + $0 + "\n" }.joined()
    }

    private static let reading: [FormCheckTests.Case] = [
        .init(
            "F101", form: "form: f\nquestions: [a",
            finding: "2:12 this bracket is never closed. Put a text that begins with a bracket in quotes."),
        .init(
            "F101", form: "form: f\nform: g\nquestions: [today a]", finding: "2:1 the key 'form' is in line 1 already."),
        .init(
            "F101", form: "form: f\n<<: g\nquestions: [today a]", finding: "2:1 a merge key ('<<') is not read here."),
        .init("F101", form: "form: [f]\nquestions: [today a]", finding: "1:7 form: a list is where a text belongs."),
        .init(
            "F101", form: questions("- text a: b", "  hint: [c]"),
            finding: "4:11 hint of 'a': a list is where a text, or a map with one for each language, belongs."),
        .init(
            "F102", form: "form: f\nqestions: [today a]\nquestions: [today a]",
            finding: "2:1 'qestions' is no key of a form. Did you mean 'questions'?"),
        .init(
            "F102", form: questions("- text a: b", "  relevance: 1 = 1"),
            finding: "4:5 'relevance' is no key of 'a'. Write 'relevant'."),
        .init(
            "F102", form: questions("- text a: b", "  questions: []"),
            finding: "4:5 'questions' is no key of 'a'. It has: label, hint, guidance_hint, media, "
                + "required, required_message, constraint, constraint_message, relevant, read_only, calculation, trigger, default, choice_filter, appearance, parameters, save_to, attributes."
        ),
        .init(
            "F102", form: questions("- text a: b", "  repeat_count: 2"),
            finding: "4:5 'repeat_count' is no key of 'a'. It has: label, hint, guidance_hint, media, "
                + "required, required_message, constraint, constraint_message, relevant, read_only, calculation, trigger, default, choice_filter, appearance, parameters, save_to, attributes."
        ),
        .init(
            "F102", form: "form: f\nrecord: answer\nquestions: [today a]",
            finding: "2:9 record: 'answer' is no kind of record. Write 'response' or 'inspection'."),
        .init(
            "F103", form: questions("- intger a: b"),
            finding: "3:5 'intger' is no type of question. Did you mean 'integer'?"),
        .init(
            "F103", form: questions("- select_one a: b"),
            finding: "3:5 'select_one' has no list of choices. Write its name behind it."),
        .init(
            "F103", form: questions("- osm a: b"),
            finding: "3:5 'osm' cannot be asked here. Ask for a position or a file instead."),
        .init(
            "F103", form: questions("- label: b"),
            finding: "3:5 a question begins with 'label'. Its first key is its type and its name, such as "
                + "'text remarks'."),
        .init(
            "F106", form: questions("- text"),
            finding: "3:5 a question of the type 'text' has no name. Write it behind the type: 'text remarks'."),
    ]

    private static let names: [FormCheckTests.Case] = [
        .init(
            "F104", form: questions("- text a: b", "- text a: c"),
            finding: "4:5 'a' is there in line 3 already; names are unique within a group or repeat."),
        .init(
            "F104",
            form: questions(
                "- repeat r: b", "  questions: [today c]", "- group g: d", "  questions:", "    - repeat r: e",
                "      questions: [today f]"),
            finding: "7:9 the repeat 'r' is there in line 3 already; the name of a repeat is unique in the form."),
        .init(
            "F104", form: questions("- group meta: b", "  questions: [today c]"),
            finding: "3:5 'meta' is the group of a record's own data, and no name for another."),
        .init(
            "F104", form: questions("- repeat data: b", "  questions: [today c]"),
            finding: "3:5 the repeat 'data' has the name of the record's root."),
        .init(
            "F105", form: questions("- text 1a: b"),
            finding: "3:5 '1a' cannot be a name: it begins with a letter or '_' and has letters, digits, "
                + "'_', '-' and '.'."),
        .init(
            "W204", form: "form: f\nrecord: inspection\nquestions: [today a]",
            finding: "2:9 'record: inspection' has no meaning yet: the form makes responses, and 'bind' fills nothing."),
        .init(
            "F105", form: "form: ä\nquestions: [today a]",
            finding: "1:7 'ä' cannot be the name of a form. It begins with a letter or '_' and has "
                + "letters, digits, '_', '.' and '-', 64 at most."),
        .init(
            "F105", form: "form: f\nroot: 1\nquestions: [today a]",
            finding: "2:7 '1' cannot be a name: it begins with a letter or '_' and has letters, digits, "
                + "'_', '-' and '.'."),
        .init(
            "F106", form: questions("- text a"),
            finding: "3:5 the question 'a' has no label. A person cannot see what it asks for."),
        .init(
            "F106", form: "questions: [today a]", finding: "1:1 the form has no name. Write 'form: kitchen_hygiene'."),
        .init(
            "F106", form: "form: f\nlists: {l: [{label: b}]}\nquestions:\n  - select_one l a: b",
            finding: "2:13 a choice of the list 'l' has no name."),
        .init(
            "F118", form: questions("- text a: {en: b}"),
            finding: "3:18 label of 'a': the language 'en' is not declared. Declare languages: 'languages: "
                + "{en: English}'."),
        .init(
            "F118", form: "form: f\nlanguages: {en: English}\nquestions:\n  - text a: {en: b, eng: c}",
            finding: "4:26 label of 'a': the language 'eng' is not declared. Did you mean 'en'?"),
        .init(
            "F118", form: "form: f\nlanguages: {en: English}\ndefault_language: eng\nquestions: [today a]",
            finding: "3:19 the language 'eng' is not declared. Did you mean 'en'?"),
        .init("F124", form: "form: f", finding: "1:1 the form has no questions. A form has at least one."),
        .init("F124", form: "", finding: "1:1 the file is empty. A form begins with 'form:' and has 'questions:'."),
    ]

    private static let lists: [FormCheckTests.Case] = [
        .init(
            "F107", form: "form: f\nlists: {colors: {r: R}}\nquestions:\n  - select_one color a: b",
            finding: "4:5 'a': no list is called 'color'. Did you mean 'colors'?"),
        .init(
            "F107", form: questions("- calculate a:", "  calculation: instance('t')/root/item/b"),
            finding: "4:18 calculation of 'a': no list or file is called 't' (character 1)."),
        .init(
            "F107", form: questions("- text a: b", "  save_to: c"),
            finding: "4:14 save_to of 'a': the form has no entities."),
        .init(
            "F108", form: "form: f\nlists: {l: {r: R, r: S}}\nquestions:\n  - select_one l a: b",
            finding: "2:19 'r' is in the list 'l' twice, the first time in line 2. Set "
                + "allow_choice_duplicates if that is meant."),
        .init(
            "F109", form: "form: f\nlists: {l: [a b]}\nquestions:\n  - select_multiple l a: b",
            finding: "2:13 'a b' has a space, which divides the answers of 'a'. Write '_' instead."),
        .init(
            "F123",
            form: "form: f\nlists: {l: [a]}\nquestions:\n  - select_one l or_other b: c\n    choice_filter: name = 'a'",
            finding: "4:5 'b' has or_other and a choice_filter, which would hide the choice 'other'. Write "
                + "the choice and its question yourself."),
        .init(
            "F123", form: questions("- text q: b", "- select_one ${q} c: d"),
            finding: "4:5 'c': the answers to 'q' can only be choices if it is directly in a repeat."),
        .init(
            "F126", form: questions("- select_one_from_file t.csv a: b"),
            finding: "3:5 the file 't.csv' is not one of the form. Add it to the files of the form."),
        .init(
            "F126", form: questions("- csv-external t"),
            finding: "3:5 the file 't.csv' is not one of the form. Add it to the files of the form."),
        .init(
            "F126", form: questions("- calculate a:", "  calculation: pulldata('t', 'a', 'b', 'c')"),
            finding: "4:18 calculation of 'a': the file 't' is not one of the form. Add it to the files of "
                + "the form."),
        .init(
            "W213", form: "form: f\nlists: {l: [a b]}\nquestions:\n  - select_one l a: b",
            finding: "2:13 'a b' has a space: selected() does not find it."),
    ]

    private static let values: [FormCheckTests.Case] = [
        .init(
            "F119", form: questions("- integer a: b", "  parameters: {rows: 3}"),
            finding: "4:17 parameters of 'a': 'rows' is no parameter of this type. It has none."),
        .init(
            "F119", form: questions("- text a: b", "  parameters: {rows: x}"),
            finding: "4:17 parameters of 'a': rows is a whole number, not 'x'."),
        .init(
            "F119", form: questions("- range a: b", "  parameters: {start: 0, end: 5, step: 6}"),
            finding: "4:17 parameters of 'a': 'step' is neither 0 nor larger than the range."),
        .init(
            "F119", form: "form: f\nclient_editable: maybe\nquestions: [today a]",
            finding: "2:18 client_editable: 'maybe' is not 'yes' or 'no'."),
        .init(
            "F120", form: questions("- integer a: b", "  default: x"),
            finding: "4:14 default of 'a': 'x' is no whole number of up to nine digits."),
        .init(
            "F120", form: "form: f\nlists: {l: [red]}\nquestions:\n  - select_one l a: b\n    default: rde",
            finding: "5:14 default of 'a': 'rde' is no choice of the list 'l'. Did you mean 'red'?"),
        .init(
            "F120",
            form: questions("- repeat r: b", "  instances: [{a: 1}, {a: x}]", "  questions:", "    - integer a: c"),
            finding: "4:16 instances of 'r': 'x' of 'a' is no whole number of up to nine digits."),
        .init(
            "F110", form: questions("- repeat r: b", "  instances: [{z: 1}]", "  questions:", "    - integer a: c"),
            finding: "4:16 instances of 'r': no question is called 'z' there."),
        .init(
            "F121", form: questions("- today a", "- text b: c", "  trigger: a"),
            finding: "5:14 trigger of 'b': 'a' is not asked, and so cannot trigger anything."),
        .init(
            "F121", form: questions("- text a: c", "- text b: c", "  trigger: [x]"),
            finding: "5:14 trigger of 'b': no question is called 'x'."),
        .init(
            "F121", form: questions("- background-geopoint a"),
            finding: "3:5 'a' is a background-geopoint, which needs a trigger."),
        .init(
            "F125", form: "a: " + String(repeating: "[", count: 100),
            finding: "1:67 lists and maps are more than 64 levels deep here."),
        .init(
            "F127", form: "form: f\nlists: {l: [a]}\nquestions:\n  - select_one l a: b\n    appearance: search('x')",
            finding: "5:17 'a' searches its choices with search(), which is not read here. Write "
                + "select_one_from_file instead."),
    ]

    private static func calculation(_ text: String) -> String {
        questions("- text q: q", "- integer n: n", "- calculate a:", "  calculation: \(text)")
    }

    private static let expressions: [FormCheckTests.Case] = [
        .init(
            "F110", form: calculation("${qq} + 1"),
            finding: "6:18 calculation of 'a': no question is called 'qq'. Did you mean 'q'?"),
        .init("F110", form: questions("- text a: is ${b}"), finding: "3:13 label of 'a': no question is called 'b'."),
        .init(
            "F111",
            form: questions(
                "- group g: b", "  questions: [today a]", "- group h: b", "  questions: [today a]", "- calculate c:",
                "  calculation: ${a}"),
            finding: "8:18 calculation of 'c': 2 questions are called 'a'. Give each a name of its own."),
        .init(
            "F112", form: calculation("1 / ${n}"),
            finding: "6:18 calculation of 'a': '/' is no division here, write 'div' (character 3)."),
        .init(
            "F112", form: calculation("(1"),
            finding: "6:18 calculation of 'a': ')' is missing behind an expression in parentheses (character 3)."),
        .init(
            "F113", form: calculation("summ(${n})"),
            finding: "6:18 calculation of 'a': no function is called 'summ' (character 1). Did you mean 'sum'?"),
        .init(
            "F114", form: calculation("if(1, 2)"),
            finding: "6:18 calculation of 'a': 'if' needs three arguments: if(condition, then, otherwise) "
                + "(character 1)."),
        .init(
            "F115", form: calculation("count(1)"),
            finding: "6:18 calculation of 'a': argument 1 of 'count' must be a path, such as ${name} "
                + "(character 1)."),
        .init(
            "F122", form: calculation("regex(${q}, '(')"),
            finding: "6:18 calculation of 'a': '(' is no pattern that can be read (character 1)."),
        .init(
            "F122", form: calculation("digest(${q}, 'CRC')"),
            finding: "6:18 calculation of 'a': 'CRC' is no algorithm; there are MD5, SHA-1, SHA-256, "
                + "SHA-384, SHA-512 (character 1)."),
        .init(
            "F122", form: calculation("digest(${q}, 'MD5', 'hx')"),
            finding: "6:18 calculation of 'a': 'hx' is no encoding; there are base64 and hex (character 1)."),
        .init(
            "F122", form: calculation("format-date(today(), '%Q')"),
            finding: "6:18 calculation of 'a': '%Q' means nothing in a format of dates (character 1)."),
        .init(
            "F125", form: calculation(String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)),
            finding: "6:18 calculation of 'a': more than 100 levels inside each other (character 101)."),
    ]

    private static let circles: [FormCheckTests.Case] = [
        .init(
            "F116",
            form: questions("- calculate a:", "  calculation: ${b} + 1", "- calculate b:", "  calculation: ${a}"),
            finding: "4:18 'a' needs 'b', which needs 'a': a circle. Lines 3, 5."),
        .init(
            "F116",
            form: questions(
                "- text a: x", "  relevant: ${b} = ''", "- group g: y", "  relevant: ${a} = ''",
                "  questions:", "    - text b: z"),
            finding: "4:15 'a' needs 'b', which needs 'g', which needs 'a': a circle. Lines 3, 5, 8."),
        .init(
            "F117", form: questions("- text a: b", "  relevant: . != ''"),
            finding: "4:15 relevant of 'a': it uses the answer of the question itself. Only 'constraint' "
                + "may, with '.' for the answer."),
        .init(
            "F117", form: questions("- text a: b", "  required: ${a} != ''"),
            finding: "4:15 required of 'a': it uses the answer of the question itself. Only 'constraint' "
                + "may, with '.' for the answer."),
    ]

    private static let warnings: [FormCheckTests.Case] = [
        .init("W201", form: questions("- today a", "- today A"), finding: "4:5 'A' and 'a' differ only in capitals."),
        .init(
            "W202", form: questions("- dateTime a: b", "  constraint: . < now()"),
            finding: "4:17 constraint of 'a': dates with a time are compared by their days. Compare "
                + "decimal-date-time(…) to compare times, too."),
        .init(
            "W203", form: questions("- date a: b", "  constraint: . > '2026-01-01'"),
            finding: "4:17 constraint of 'a': '2026-01-01' is compared as a text. Collect needs "
                + "date('2026-01-01')."),
        .init(
            "W204", form: questions("- image a: b", "  appearance: [draw, signature]"),
            finding: "4:17 2 appearances have no meaning in a terminal: draw, signature."),
        .init(
            "W204", form: questions("- text a: b", "  appearance: multilne"),
            finding: "4:17 appearance of 'a': 'multilne' is not known. Did you mean 'multiline'?"),
        .init(
            "W204", form: questions("- text a: b", "  appearance: ex:org.example"),
            finding: "4:17 'a' opens a program on a telephone; here it is answered by hand."),
        .init(
            "W204", form: questions("- image a: b", "  parameters: {max-pixels: 100}"),
            finding: "4:17 parameters of 'a': 'max-pixels' has no meaning here."),
        .init(
            "W205", form: questions("- repeat a:", "  questions: [today b]"),
            finding: "3:5 the repeat 'a' has no label."),
        .init(
            "W206", form: "form: f\nlanguages: {en: English, de: Deutsch}\nquestions:\n  - text a: {en: b}",
            finding: "4:13 label of 'a' is missing in: de."),
        .init(
            "W207", form: calculation("selected(${q}, 1)"),
            finding: "6:18 calculation of 'a': the second argument of 'selected' is a number; Collect "
                + "stops at it. Write it in quotation marks."),
        .init("W208", form: questions("- today KEY"), finding: "3:5 'KEY' is also a column that every export has."),
        .init(
            "W208", form: questions("- today a-b", "- group a: c", "  questions: [today b]"),
            finding: "5:17 '/data/a/b' and '/data/a-b' have the same column 'a-b' in exports."),
        .init(
            "W209", form: questions("- repeat r: b", "  questions: [today a]", "- calculate c:", "  calculation: ${a}"),
            finding: "6:18 calculation of 'c': 'a' has a value in each instance of its repeat; the first "
                + "one is taken. Use sum(), count(), join(), indexed-repeat() or a predicate."),
        .init(
            "W210", form: calculation("floor(${n})"),
            finding: "6:18 calculation of 'a': 'floor' is not known in Collect."),
        .init(
            "W210", form: calculation("/data/q[1]"),
            finding: "6:18 calculation of 'a': a number as a predicate selects nothing in Collect. Write "
                + "'[position() = …]'."),
        .init(
            "W210", form: calculation("count(${q} | ${n})"),
            finding: "6:18 calculation of 'a': '|' is not known in Collect."),
        .init(
            "W212", form: calculation("/data/none"),
            finding: "6:18 calculation of 'a': the path leads to no question: 'none' is not there."),
        .init(
            "W212",
            form: "form: f\nlists: {l: [{name: a, region: n}]}\nquestions:\n  - select_one l b: c\n"
                + "    choice_filter: regoin = 'n'",
            finding: "5:20 choice_filter of 'b': no choice has a column 'regoin'. Did you mean 'region'?"),
    ]
}
