import DocumentValues
import FormLogic

/// A column of a question: a heading, and the text of its cell for an answer.
struct ExportColumn {
    let heading: String
    let text: @Sendable (Answer?) -> String
}

/// Makes the columns of questions.
struct ExportColumns {
    let options: ExportOptions
    let form: Form
    /// The choices that records have, by the questions' keys; of styles that name those alone.
    let seen: [[Name]: Set<Name>]

    func columns(of leaf: ExportLayout.Leaf) -> [ExportColumn] {
        let heading = heading(of: leaf)
        switch leaf.type {
        case .plain(.geopoint), .plain(.startGeopoint), .plain(.backgroundGeopoint): return points(heading, of: leaf)
        case .select(.multiple, _):
            let whole = ExportColumn(heading: heading) { [labels = labels(of: leaf)] in Self.shown($0, by: labels) }
            let isSplit = options.splitsSelects || options.style == .kobo
            return [whole] + (isSplit ? choices(of: leaf).map { split(heading, choice: $0, of: leaf) } : [])
        case .select:
            return [ExportColumn(heading: heading) { [labels = labels(of: leaf)] in Self.shown($0, by: labels) }]
        case .plain: return [ExportColumn(heading: heading) { $0?.text ?? "" }]
        }
    }

    private var separator: String { options.style == .kobo ? "/" : "-" }

    func heading(of leaf: ExportLayout.Leaf) -> String {
        let parts = zip(leaf.path, leaf.labels).map { name, label in text(label) ?? name.text }
        return options.namesGroups ? parts.joined(separator: separator) : parts.last ?? ""
    }

    private func text(_ label: FormText?) -> String? {
        guard let language = options.language, let label else { return nil }
        let reading = FormTextLanguage(chosen: Name(language), fallback: form.language)
        return reading.pick(label)?.text.printableLine
    }

    // MARK: Places

    private func points(_ heading: String, of leaf: ExportLayout.Leaf) -> [ExportColumn] {
        func part(_ heading: String, value: @escaping @Sendable (GeoPoint) -> Double) -> ExportColumn {
            ExportColumn(heading: heading) { answer in
                guard case .point(let point)? = answer else { return "" }
                let text = FormNumberText.of(value(point))
                return text.utf8.contains(UInt8(ascii: ".")) ? text : text + ".0"
            }
        }
        guard options.style == .kobo else {
            return [
                part(heading + "-Latitude", value: \.latitude), part(heading + "-Longitude", value: \.longitude),
                part(heading + "-Altitude", value: \.altitude), part(heading + "-Accuracy", value: \.accuracy),
            ]
        }
        // The underscore is in front of the question's own name.
        let parts = heading.split(atByte: "/").map(String.init)
        let name = (parts.dropLast() + ["_" + (parts.last ?? heading)]).joined(separator: "/")
        return [
            ExportColumn(heading: heading) { $0?.text ?? "" }, part(name + "_latitude", value: \.latitude),
            part(name + "_longitude", value: \.longitude), part(name + "_altitude", value: \.altitude),
            part(name + "_precision", value: \.accuracy),
        ]
    }

    // MARK: Choices

    private func choices(of leaf: ExportLayout.Leaf) -> [Name] {
        let found = seen[leaf.key, default: []].sorted()
        guard options.style != .central, case .select(_, .list(let list)) = leaf.type,
            let choices = form.list(list)?.choices
        else { return found }
        let known = Set(choices.map(\.name))
        return choices.map(\.name) + found.filter { !known.contains($0) }
    }

    private func split(_ heading: String, choice: Name, of leaf: ExportLayout.Leaf) -> ExportColumn {
        let name = labels(of: leaf)[choice] ?? choice.text
        return ExportColumn(heading: "\(heading)/\(name)") { answer in
            guard case .names(let names)? = answer else { return "0" }
            return names.contains(choice) ? "1" : "0"
        }
    }

    /// By the names of the choices; empty where names are wanted.
    private func labels(of leaf: ExportLayout.Leaf) -> [Name: String] {
        guard options.language != nil, case .select(_, .list(let list)) = leaf.type else { return [:] }
        let labels = (form.list(list)?.choices ?? []).compactMap { choice in
            text(choice.label).map { (choice.name, $0) }
        }
        return Dictionary(labels, uniquingKeysWith: { first, _ in first })
    }

    private static func shown(_ answer: Answer?, by labels: [Name: String]) -> String {
        switch answer {
        case .names(let names)?: names.map { labels[$0] ?? $0.text }.joined(separator: " ")
        case .text(let text)?: labels[Name(text)] ?? text
        case nil: ""
        case let other?: other.text
        }
    }
}
