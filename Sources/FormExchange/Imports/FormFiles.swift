import DocumentValues
import FormLogic

/// The files that a form refers to: tables of choices, rows to look up, pictures.
struct FormFiles {
    private var files: [FormFile] = []
    /// The first question or choice that names each file.
    private var owners: [Name: FormPart] = [:]
    private var present = FormPart(.form)
    private var nodeCount = 0

    private init(_ form: Form) {
        add(nodes: form.nodes)
        for (list, choices) in form.lists.enumerated() {
            for (index, choice) in choices.choices.enumerated() where !choice.media.isEmpty {
                present = FormPart(.choice(list: list, index: index))
                add(choice.media)
            }
        }
    }

    static func all(of form: Form) -> [FormFile] { FormFiles(form).files }

    /// Pictures, sounds and films, of which a form can do without.
    static func media(of form: Form) -> [FormFile] { all(of: form).filter { $0.kind == .media } }

    /// Notes where the files of a form are named.
    ///
    /// - Parameter first: the index of the first file; those before it have positions.
    static func notePositions(of form: Form, from first: Int = 0, in positions: inout SourcePositions) {
        let owners = FormFiles(form).owners
        for (index, file) in form.files.enumerated().dropFirst(first) {
            guard let owner = owners[file.name] else { continue }
            positions.note(FormPart(.file(index)), at: positions[owner])
        }
    }

    private mutating func add(nodes: [FormNode]) {
        for node in nodes {
            present = FormPart(.node(nodeCount))
            nodeCount += 1
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
            if let file = node.defaultValue, !node.hasDynamicDefault { add(Name(file)) }
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
        guard !name.isEmpty, owners[name] == nil else { return }
        owners[name] = present
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
