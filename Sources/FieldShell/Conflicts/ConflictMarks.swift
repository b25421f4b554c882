import DocumentValues
import FieldModels
import FieldRecords

/// Records about which a person has to decide are marked in every list.
struct ConflictMarks {
    let session: ShellSession

    func marking(_ listing: Listing) throws -> Listing {
        let open = try openReferences()
        guard !open.isEmpty, listing.rows.contains(where: { open.contains($0.reference) }) else { return listing }
        var listing = listing
        listing.rows = listing.rows.map { $0.marked(in: open) }
        listing.notes.append(Self.legend)
        return listing
    }

    func marking(_ groups: RecordGroups) throws -> RecordGroups {
        let open = try openReferences()
        guard groups.references.contains(where: { open.contains($0) }) else { return groups }
        var groups = groups
        groups.groups = groups.groups.map { group in
            RecordGroups.Group(
                title: group.title, columns: group.columns, rows: group.rows.map { $0.marked(in: open) })
        }
        groups.notes.append(Self.legend)
        return groups
    }

    private func openReferences() throws -> Set<RecordReference> {
        Set(try OpenConflicts(session: session).all().map { RecordReference($0.kind, id: $0.id) })
    }

    private static let legend = "! has something for you to decide: conflicts"

    /// The undecided fields of an inspection and its findings; `nil` if there are none.
    func undecided(ofInspection id: String, besides settled: Set<FieldPath> = []) throws -> String? {
        let open = try OpenConflicts(session: session).all().filter { conflict in
            switch conflict.kind {
            case .inspection: conflict.id.isExactly(id)
            case .finding: conflict.object["inspection"]?.stringValue?.isExactly(id) == true
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
    /// Behind the id, which is the first cell.
    fileprivate func marked(in open: Set<RecordReference>) -> Self {
        guard open.contains(reference), let id = cells.first else { return self }
        return Listing.Row(reference: reference, cells: [id + " !"] + cells.dropFirst(), object: object)
    }
}
