import DocumentValues
import FieldModels
import FieldRecords

/// Records about which a person has to decide are marked in every list.
struct ConflictMarks {
    let session: ShellSession

    func marking(_ rows: Portions<Listing.Row>) throws -> Portions<Listing.Row> {
        let open = try openReferences()
        return open.isEmpty ? rows : try rows.map { $0.map { $0.marked(in: open) } }
    }

    func marking(_ groups: RecordGroups) throws -> RecordGroups {
        let open = try openReferences()
        guard !open.isEmpty else { return groups }
        var groups = groups
        groups.groups = try groups.groups.map { parts in
            parts.map { part in
                var part = part
                part.rows = part.rows.map { $0.marked(in: open) }
                return part
            }
        }
        return groups
    }

    private func openReferences() throws -> Set<RecordReference> {
        Set(try OpenConflicts(session: session).all().map { RecordReference($0.kind, id: $0.id) })
    }

    /// Behind a list with a marked record.
    static let legend = "! has something for you to decide: conflicts"

    /// The undecided fields of a filled form, or of an inspection and its findings; `nil` if there are none.
    func undecided(of record: RecordReference, besides settled: Set<FieldPath> = []) throws -> String? {
        let open = try OpenConflicts(session: session).all().filter { conflict in
            switch conflict.kind {
            case .inspection, .response: conflict.kind == record.kind && conflict.id.isExactly(record.id)
            case .finding:
                record.kind == .inspection && conflict.object["inspection"]?.stringValue.isExactly(record.id) == true
            case .site, .form, .assignment: false
            }
        }
        .compactMap { $0.kind == .inspection ? $0.without(settled) : $0 }
        guard !open.isEmpty else { return nil }
        let subjects = try open.map { conflict in
            let text = try ConflictText(conflict, session: session, readsLog: false)
            return conflict.kind == .finding ? "the finding '\(conflict.title)' (\(text.subjects))" : text.subjects
        }
        return subjects.joined(separator: "; ")
    }
}

extension Listing.Row {
    fileprivate func marked(in open: Set<RecordReference>) -> Self {
        var row = self
        row.isContested = open.contains(reference)
        return row
    }

    /// The cells; behind the id, which is the first one, the mark.
    var markedCells: [String] {
        guard isContested, let id = cells.first else { return cells }
        return [id + " !"] + cells.dropFirst()
    }
}
