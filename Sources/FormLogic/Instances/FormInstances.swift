import DocumentValues

/// A list, a file or the last saved record, as expressions see it.
package enum FormInstance: Sendable {
    case table(TableInstance)
    case document(TreeInstance)
}

/// The instances of a form that are on this laptop.
package struct FormInstances: Sendable {
    private var all: [FormInstance] = []
    private var numbers: [Name: Int] = [:]

    package init() {}

    /// The lists of a form with the labels of a language.
    package init(lists: [ChoiceList], language: Name?, fallback: Name?) {
        for list in lists {
            guard case .choices(let choices) = list.content else { continue }
            self[list.name] = .table(Self.table(of: choices, language: language, fallback: fallback))
        }
    }

    /// - Parameter fallback: the language of a label that has none in `language`.
    package static func table(of choices: [Choice], language: Name?, fallback: Name?) -> TableInstance {
        var columns: [Name] = ["name", "label"]
        var seen = Set(columns)
        for choice in choices {
            for column in choice.columns where seen.insert(column.name).inserted { columns.append(column.name) }
        }
        let rows = choices.map { choice -> [String?] in
            let cells = Dictionary(choice.columns.map { ($0.name, $0.text) }) { first, _ in first }
            let label = choice.label.flatMap { $0.text(in: language) ?? $0.text(in: fallback) ?? $0.all.first }
            return [choice.name.text, label] + columns.dropFirst(2).map { cells[$0] }
        }
        return TableInstance(columns: columns, rows: rows)
    }

    package func number(_ name: Name) -> Int? { numbers[name] }

    package subscript(number: Int) -> FormInstance { all[number] }

    package subscript(name: Name) -> FormInstance? {
        get { numbers[name].map { all[$0] } }
        set {
            guard let newValue else { return }
            if let number = numbers[name] {
                all[number] = newValue
            } else {
                numbers[name] = all.count
                all.append(newValue)
            }
        }
    }

    /// Makes indexes for look-ups by equality in tables.
    package mutating func index(_ columns: [Name: Set<Name>], conversions: Conversions) {
        for (name, columns) in columns {
            guard let number = numbers[name], case .table(var table) = all[number] else { continue }
            table.index(columns, conversions: conversions)
            all[number] = .table(table)
        }
    }
}
