import DocumentValues
import FieldModels

extension ChangesByOthers {
    /// `eve changed your inspection k3m9x2pq7d, Old mill, 2026-03-04 routine: notes, score, 1 photo`; the person who
    /// handed it in or approved it comes first, and the fields noted as the owner's own come last.
    ///
    /// - Parameter title: the record's title for people.
    public func line(title: String) -> String {
        let name = "your \(record.kind.rawValue) \(record.shortID), \(title)"
        let (others, own) = (news.filter { $0.noted == nil }, news.filter { $0.noted != nil })
        guard !others.isEmpty else {
            return "\(Self.people(own)) sent changes of \(name), that are noted as yours: \(Self.parts(own))"
        }
        let noted = own.isEmpty ? "" : "; noted as yours: \(Self.parts(own))"
        guard let step = others.first(where: { $0.path == Self.status }) else {
            return "\(Self.people(others)) changed \(name): \(Self.subjects(others))\(noted)"
        }
        let rest = others.filter { $0.path != Self.status }
        let changed = rest.isEmpty ? "" : "; \(Self.people(rest)) changed: \(Self.subjects(rest))"
        return "\(Self.people([step])) \(Self.taken(step)) \(name)\(changed)\(noted)"
    }

    /// `handed in, notes, score`.
    private static func parts(_ fields: [Field]) -> String {
        let step = fields.first { $0.path == status }
        return [step.map(taken) ?? "", subjects(fields)].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// A step without a former value was not made by another user.
    private static func taken(_ step: Field) -> String {
        if step.isApproval { return "approved" }
        return step.before == nil ? "made and handed in" : "handed in"
    }

    /// The fields that were not named yet, or else those that the user has not looked at.
    private var news: [Field] {
        let new = fields.filter { $0.notice == .new }
        return new.isEmpty ? unread : new
    }

    private var unread: [Field] {
        let unread = fields.filter { $0.notice < .read }
        return unread.isEmpty ? fields : unread
    }

    /// `eve: notes, score, 1 photo`, of the fields that the user has not looked at.
    public var summary: String {
        let (others, own) = (unread.filter { $0.noted == nil }, unread.filter { $0.noted != nil })
        let noted = own.isEmpty ? "" : "noted as yours: \(Self.parts(own))"
        let parts = [others.isEmpty ? "" : Self.parts(others), noted].filter { !$0.isEmpty }
        return "\(Self.people(others.isEmpty ? own : others)): \(parts.joined(separator: "; "))"
    }

    /// The changes, a line for each person and moment: `notes my long notes → nothing, photo door.jpg removed`.
    var lines: [(stamp: VersionStamp, text: String)] {
        var lines: [(stamp: VersionStamp, text: String)] = []
        // The record itself says who has approved it.
        let changed = fields.filter { !$0.isApproval }
        // The owner's former values come before values that others have added.
        let all = changed.filter { $0.before != nil } + changed.filter { $0.before == nil }
        let rest = all.count - FieldRecordsLimits.shownFields
        for field in all.prefix(FieldRecordsLimits.shownFields) {
            if let index = lines.firstIndex(where: { $0.stamp == field.stamp }) {
                lines[index].text += ", \(field.text)"
            } else if lines.count < FieldRecordsLimits.changeLines {
                lines.append((stamp: field.stamp, text: field.text))
            }
        }
        if rest > 0, !lines.isEmpty { lines[lines.count - 1].text += ", and \(rest) more" }
        return lines
    }

    /// The names of the fields, and how many photos.
    private static func subjects(_ fields: [Field]) -> String {
        let special = [status, questions]
        let names = fields.filter { $0.path.photoKey == nil && !special.contains($0.path) }.map(\.path.lastName)
        var parts = names.prefix(FieldRecordsLimits.namedFields).map(\.printableLine)
        let rest = names.count - parts.count
        if rest > 0 { parts.append("\(rest) more") }
        let photos = Set(fields.compactMap(\.path.photoKey)).count
        if photos > 0 { parts.append("\(photos) \(photos == 1 ? "photo" : "photos")") }
        let decided = fields.filter { $0.path == questions }.flatMap(\.decided).count
        if decided > 0 { parts.append("\(decided) \(decided == 1 ? "value" : "values") of yours decided about") }
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
        guard let noted else { return change }
        return "\(change) (noted as yours\(noted.device.map { " on \($0.printableLine)" } ?? ""))"
    }

    private var change: String {
        if path == ChangesByOthers.questions { return decidedText }
        if path.isItem {
            let name = after?.stringValue ?? before?["name"]?.stringValue ?? ""
            return "photo \(Self.cut(name)) \(after == nil ? "removed" : "added")"
        }
        // A moment is in a record as no person reads it.
        if path.photoKey != nil, path.lastName.isExactly("takenAt") { return "photo's time changed" }
        let name = path.photoKey == nil ? path.lastName : "photo's \(path.lastName)"
        func shown(_ value: JSONValue?) -> String {
            let text = Self.cut(RecordDifference.text(value, at: path))
            return text.isEmpty ? "nothing" : text
        }
        let (old, new) = (shown(before), shown(LeftValue.shown(after)))
        return old.isExactly(new) ? "\(name) changed" : "\(name) \(old)\(RecordDifference.arrow)\(new)"
    }

    /// `decided; values that are gone: notes my long notes, score 60`.
    private var decidedText: String {
        let values = decided.map(\.value)
        let shown = values.prefix(FieldRecordsLimits.namedFields).compactMap { value -> String? in
            guard let path = value.path else { return nil }
            return "\(path.lastName) \(Self.cut(RecordDifference.text(value.value, at: path)))"
        }
        let rest = values.count - shown.count
        return "decided; values that are gone: \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")"
    }

    /// The values themselves are kept whole.
    private static func cut(_ text: String) -> String {
        let shown = text.prefix(FieldRecordsLimits.shownChange)
        return shown.endIndex < text.endIndex ? "\(shown)…" : text
    }
}
