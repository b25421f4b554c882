import DocumentValues

/// Appearances, of which a terminal has no use for many.
extension FormChecker {
    mutating func checkAppearances() {
        var ignored: [String] = []
        var first: FormPart?
        for id in nodes {
            for word in outline[id].node.appearance {
                let part = part(id, member: "appearance")
                switch Appearance(word) {
                case .obeyed: break
                case .meaningless:
                    first = first ?? part
                    let name = word.lowercased()
                    if !ignored.contains(name) { ignored.append(name) }
                // Readers of sheets and XForms report it themselves, since they can do without it.
                case .search: if !options.isImported { addSearch(of: id) }
                case .androidProgram:
                    add(
                        .withoutMeaning, at: part,
                        message: "'\(outline[id].node.name.text)' opens a program on a telephone; "
                            + "here it is answered by hand.")
                case .unknown:
                    add(
                        .withoutMeaning, at: part,
                        message: "appearance of '\(outline[id].node.name.text)': '\(word)' is not known.",
                        hint: NearName.hint(word, among: Appearance.names))
                }
            }
        }
        guard let first else { return }
        let names = ignored.prefix(10).joined(separator: ", ") + (ignored.count > 10 ? ", …" : "")
        let count = ignored.count == 1 ? "1 appearance has" : "\(ignored.count) appearances have"
        add(.withoutMeaning, at: first, message: "\(count) no meaning in a terminal: \(names).")
    }

    private mutating func addSearch(of id: FormOutline.ID) {
        add(
            .unsupported, at: part(id, member: "appearance"),
            message: "'\(outline[id].node.name.text)' searches its choices with search(), which is not read here.",
            hint: "Write select_one_from_file instead.")
    }
}

/// What a part of an appearance means here.
enum Appearance: Sendable, Hashable {
    case obeyed
    case meaningless
    /// Collect's older way of choices from a file.
    case search
    case androidProgram
    case unknown

    init(_ text: String) {
        let name = text.lowercased()
        if name.hasPrefix("search(") {
            self = .search
        } else if name.hasPrefix("ex:") {
            self = .androidProgram
        } else if Self.obeyedNames.contains(Name(name)) || Self.hasPrefix(name, of: Self.obeyedBeginnings) {
            self = .obeyed
        } else if Self.meaninglessNames.contains(Name(name)) || Self.hasPrefix(name, of: Self.meaninglessBeginnings) {
            self = .meaningless
        } else {
            // A part of `search('towns', 'matches', …)`, which was divided at its spaces.
            self = name.utf8.contains(UInt8(ascii: "'")) ? .obeyed : .unknown
        }
    }

    static var names: [String] { obeyedNames.union(meaninglessNames).map(\.text).sorted() }

    private static func hasPrefix(_ name: String, of beginnings: [String]) -> Bool {
        beginnings.contains { name.hasPrefix($0) }
    }

    private static let obeyedNames: Set<Name> = [
        "multiline", "numbers", "masked", "thousands-sep", "month-year", "year", "minimal", "autocomplete",
        "autocomplete_chars", "search", "map", "image-map", "likert", "no-buttons", "quick", "label", "list-nolabel",
        "list", "table-list", "field-list", "hidden-answer", "counter", "picker", "rating", "vertical", "no-ticks",
        "bearing", "quickcompact",
    ]
    private static let obeyedBeginnings = ["columns", "compact", "horizontal"]

    private static let meaninglessNames: Set<Name> = [
        "annotate", "draw", "signature", "new", "new-front", "front", "selfie", "maps", "placement-map", "no-calendar",
        "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "no-label", "url", "ethiopian", "coptic",
        "islamic", "bikram-sambat", "myanmar", "persian", "buddhist",
    ]
    private static let meaninglessBeginnings = ["printer"]
}
