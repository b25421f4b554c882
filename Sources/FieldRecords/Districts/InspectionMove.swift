import DocumentValues
import FieldModels

/// The fields of a finding that its inspection decides.
enum Followed: Sendable, Hashable, CaseIterable {
    /// The site, and the district.
    case site
    case day

    var paths: [FieldPath] {
        switch self {
        case .site: [FieldPath("site"), FieldPath("district")]
        case .day: [FieldPath("date")]
        }
    }

    /// Whether there is nothing to follow.
    func isMet(by finding: Finding, of inspection: Inspection) -> Bool {
        switch self {
        case .site:
            let isSameDistrict = inspection.district == nil || finding.district == inspection.district
            return isSameDistrict && finding.site.isExactly(inspection.site)
        case .day: return finding.date == inspection.date || finding.isCorrected(before: inspection.date)
        }
    }
}

/// An inspection where and when it is by now, as the gateway has it. A move that was not sent, or is refused, counts for no
/// finding: another laptop, where the inspection is still in its old district, would bring each of them back.
struct InspectionMove {
    let inspection: Inspection
    /// The fields that the author has moved to their present values on this laptop.
    let moved: Set<Followed>

    /// The fields in which a finding has to follow.
    func takesAlong(_ finding: Finding, for author: Author, movedHere: MovesHere) -> Set<Followed> {
        guard let name = author.name else { return [] }
        let left = Set(Followed.allCases.filter { !$0.isMet(by: finding, of: inspection) })
        if left.isEmpty || finding.envelope.createdBy?.isExactly(name) == true { return left }
        let reference = RecordReference(.finding, id: finding.id)
        return left.intersection(moved.union(movedHere.moved(reference, as: finding.object)))
    }
}

/// Where an author has moved records on this laptop.
struct MovesHere {
    private let author: Author
    private let typed: [RecordReference: [FieldPath: JSONValue]]

    init(by author: Author, in journal: ChangeJournal) throws {
        self.author = author
        typed = try journal.typed(Followed.allCases.flatMap(\.paths), by: author)
    }

    /// The fields of a record that the author has moved to their present values. Another user may have moved it again
    /// since. The author's name in the record does not show that, because colleagues write it, too.
    func moved(_ record: RecordReference, as present: JSONObject) -> Set<Followed> {
        guard let typed = typed[record] else { return [] }
        return Set(Followed.allCases.filter { isMoved($0, to: typed, in: present) })
    }

    private func isMoved(_ followed: Followed, to typed: [FieldPath: JSONValue], in present: JSONObject) -> Bool {
        let values = typed.filter { followed.paths.contains($0.key) }
        guard let name = author.name, !values.isEmpty,
            FieldChanges(of: present).last(of: followed.paths)?.by?.isExactly(name) == true
        else { return false }
        return values.allSatisfy { path, value in
            ValueOrder.isSame(ValueOrder.present(value), and: path.read(present))
        }
    }
}

extension Finding {
    /// It cannot be of a day after the one on which it was put right.
    func isCorrected(before day: CalendarDay) -> Bool { corrected.map { $0 < day } ?? false }

    /// A conflict about the day is decided with that of the inspection.
    mutating func move(to day: CalendarDay) {
        date = day
        envelope.settle(Set(Followed.day.paths))
    }
}
