import DocumentValues
import FormLogic

/// The files that a form refers to: tables of choices, rows to look up, pictures.
struct FormFiles {
    private var files: [FormFile] = []
    private var names: Set<Name> = []

    static func all(of form: Form) -> [FormFile] {
        var found = FormFiles()
        found.add(nodes: form.nodes)
        for list in form.lists {
            for choice in list.choices { found.add(choice.media) }
        }
        return found.files
    }

    private mutating func add(nodes: [FormNode]) {
        for node in nodes {
            add(node.media)
            addTables(of: node)
            for expression in node.expressions { addLookUps(in: expression) }
            add(nodes: node.nodes)
        }
    }

    private mutating func addTables(of node: FormNode) {
        switch node.type {
        case .select(_, from: .file(let name))?: add(name)
        case .plain(.csvExternal)?: add(Name(node.name.text + ".csv"))
        case .plain(.xmlExternal)?: add(Name(node.name.text + ".xml"))
        // The picture that is there at the start.
        case .plain(.image)?:
            if let file = node.defaultValue, !file.containsBytes(of: "("), !file.containsBytes(of: "${") {
                add(Name(file))
            }
        case .plain?, .select?, nil: break
        }
    }

    private mutating func add(_ media: FormMedia) {
        for item in media.items {
            // A name that holds an answer is known only when the form is filled.
            for file in item.file.all where !file.containsBytes(of: "${") { add(Name(file)) }
        }
    }

    private mutating func add(_ name: Name) {
        guard !name.isEmpty, names.insert(name).inserted else { return }
        files.append(FormFile(name: name, kind: FormFile.Kind(fileName: name)))
    }

    /// `pulldata('towns', …)` reads `towns.csv`.
    private mutating func addLookUps(in expression: String) {
        guard expression.containsBytes(of: "pulldata") else { return }
        for found in expression.matches(of: /pulldata\s*\(\s*(?:'([^']*)'|"([^"]*)")/) {
            let name = String(found.1 ?? found.2 ?? "").trimmingSpaces
            guard !name.isEmpty else { continue }
            add(Name(name.lowercased().hasSuffix(".csv") ? name : name + ".csv"))
        }
    }
}

extension FormNode {
    /// All of its expressions.
    var expressions: [String] {
        [required, constraint, relevant, readOnly, calculation, defaultValue, choiceFilter, repeatCount]
            .compactMap { $0 }
    }
}
