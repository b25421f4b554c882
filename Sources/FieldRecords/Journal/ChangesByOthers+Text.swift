import DocumentValues
import FieldModels

extension ChangesByOthers {
    /// `eve changed your inspection k3m9x2pq7d, Old mill, 2026-03-04 routine: notes, score, 1 photo`; who handed it in comes
    /// first.
    ///
    /// - Parameter title: what people know the record by.
    public func line(title: String) -> String {
        let name = "your \(record.kind.rawValue) \(record.shortID), \(title)"
        guard let step = fields.first(where: { $0.path == Self.status }) else {
            return "\(Self.people(fields)) changed \(name): \(subjects)"
        }
        let others = fields.filter { $0.path != Self.status }
        let changed = others.isEmpty ? "" : "; \(Self.people(others)) changed: \(subjects)"
        return "\(Self.people([step])) handed in \(name)\(changed)"
    }

    /// `eve: notes, score, 1 photo`.
    public var summary: String {
        let isHandedIn = fields.contains { $0.path == Self.status }
        let parts = [isHandedIn ? "handed in" : "", subjects].filter { !$0.isEmpty }
        return "\(Self.people(fields)): \(parts.joined(separator: ", "))"
    }

    /// What each of them did, a line for each person and moment: `notes my long notes → nothing, photo door.jpg removed`.
    var lines: [(stamp: VersionStamp, text: String)] {
        var lines: [(stamp: VersionStamp, text: String)] = []
        for field in fields {
            if let index = lines.firstIndex(where: { $0.stamp == field.stamp }) {
                lines[index].text += ", \(field.text)"
            } else if lines.count < FieldRecordsLimits.changeLines {
                lines.append((stamp: field.stamp, text: field.text))
            }
        }
        return lines
    }

    /// The names of the fields, and how many photos.
    private var subjects: String {
        let names = fields.filter { $0.path.photoKey == nil && $0.path != Self.status }.map(\.path.lastName)
        var parts = names.prefix(FieldRecordsLimits.namedFields).map(\.printableLine)
        let rest = names.count - parts.count
        if rest > 0 { parts.append("\(rest) more") }
        let photos = Set(fields.compactMap(\.path.photoKey)).count
        if photos > 0 { parts.append("\(photos) \(photos == 1 ? "photo" : "photos")") }
        return parts.joined(separator: ", ")
    }

    private static func people(_ fields: [Field]) -> String {
        var seen: Set<Name> = []
        let names = fields.compactMap(\.stamp.by).map { Name($0) }.filter { seen.insert($0).inserted }
        let shown = names.prefix(FieldRecordsLimits.namedPeople).map(\.text.printableLine)
        if shown.isEmpty { return "somebody" }
        return shown.joined(separator: " and ") + (names.count > shown.count ? " and others" : "")
    }
}

extension ChangesByOthers.Field {
    fileprivate var text: String {
        if path.isItem {
            let name = after?.stringValue ?? before?["name"]?.stringValue ?? ""
            return "photo \(Self.cut(name)) \(after == nil ? "removed" : "added")"
        }
        let name = path.photoKey == nil ? path.lastName : "photo's \(path.lastName)"
        func shown(_ value: JSONValue?) -> String {
            let text = Self.cut(RecordDifference.text(value, of: path.lastName))
            return text.isEmpty ? "nothing" : text
        }
        let (old, new) = (shown(before), shown(after))
        return old.isExactly(new) ? "\(name) changed" : "\(name) \(old)\(RecordDifference.arrow)\(new)"
    }

    /// The values themselves are kept whole.
    private static func cut(_ text: String) -> String {
        let shown = text.prefix(FieldRecordsLimits.shownChange)
        return shown.endIndex < text.endIndex ? "\(shown)…" : text
    }
}
