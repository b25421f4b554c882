import DocumentValues

/// The sheets that a workbook names, with the ids of their parts. Hidden ones are read like the others.
struct WorkbookIndex: MarkupHandler {
    private(set) var sheets: [(name: String, relation: String)] = []
    private(set) var begins1904 = false

    mutating func start(_ tag: MarkupTag) {
        switch tag.local {
        case "sheet":
            guard let name = tag["name"], let relation = tag["id", in: .relationships] ?? tag["id"] else { return }
            sheets.append((name, relation))
        case "workbookPr": begins1904 = tag["date1904"] == "1" || tag["date1904"] == "true"
        default: break
        }
    }

    func text(_ text: String) {}

    func end() {}
}

/// The parts that a part refers to.
struct PartRelations: MarkupHandler {
    /// The folder of the part that refers to them, `xl`.
    let folder: String
    private(set) var all: [(id: String, type: String, part: String)] = []

    init(folder: String) { self.folder = folder }

    mutating func start(_ tag: MarkupTag) {
        guard tag.local == "Relationship", let id = tag["Id"], let target = tag["Target"] else { return }
        all.append((id, tag["Type"] ?? "", resolved(target)))
    }

    func text(_ text: String) {}

    func end() {}

    func part(_ id: String) -> String? { all.first { $0.id == id }?.part }

    func part(ofType type: String) -> String? { all.first { $0.type.hasSuffix("/" + type) }?.part }

    /// `/xl/a.xml` is a whole path, others are seen from the folder.
    private func resolved(_ target: String) -> String {
        if let whole = target.droppingExactPrefix("/") { return whole }
        var parts = folder.split(atByte: "/")
        for step in target.split(atByte: "/") {
            if step.elementsEqual("..") { _ = parts.popLast() } else { parts.append(step) }
        }
        return parts.joined(separator: "/")
    }
}
