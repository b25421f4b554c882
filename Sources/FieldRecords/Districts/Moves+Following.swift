import DocumentStore
import DocumentValues
import FieldModels

/// Findings that were made while their inspection went to another site, or to another day.
///
/// Moving an inspection moves the findings that are on that laptop. Findings that another laptop made before it
/// received the move arrive later with the old site, district and day: lists of the old site would have them, and lists
/// of the new one their inspection.
extension Moves {
    /// Moves findings to the site, the district and the day that their inspection has by now. `undo` does not take it back,
    /// since no user has given a command for it.
    ///
    /// It moves the author's own findings. It moves those of others only if the author has moved the inspection, or the
    /// findings, on this laptop, and to the present values: an approval that meets a move keeps the inspection where it was.
    /// The author's name in the record does not show that, because colleagues write it, too.
    ///
    /// - Parameter references: the records that a sync has touched; only these findings, and those of these inspections, are
    ///   looked at.
    /// - Returns: the findings that were moved.
    public func bringFindingsAlong(
        touchedBy references: [RecordReference], by author: Author
    ) throws -> [RecordReference] {
        var moved: [RecordReference] = []
        var moves: [Name: InspectionMove?] = [:]
        var reach = Reach(of: author, in: districts)
        let movedHere = try MovesHere(by: author, in: journal)
        for finding in try findings(touchedBy: references) {
            guard let id = finding.inspection else { continue }
            let move = try moves[Name(id)] ?? move(of: id, movedHere: movedHere)
            moves[Name(id)] = move
            guard let move else { continue }
            var followed = move.takesAlong(finding, for: author, movedHere: movedHere)
            if followed.contains(.site),
                try !reach.includes(move.inspection.district, of: move.inspection.envelope.channels)
            {
                followed.remove(.site)
            }
            guard !followed.isEmpty,
                try bring(finding, in: followed, by: author, to: move.inspection, within: &reach)
            else { continue }
            moved.append(RecordReference(.finding, id: finding.id))
        }
        return moved
    }

    /// Moves all findings of these inspections, which the author has just moved.
    ///
    /// - Parameters:
    ///   - followed: the fields of the inspections that were moved.
    ///   - isUndoable: it is part of a command that `undo` takes back.
    func bringFindingsAlong(
        ofInspections ids: Set<Name>, in followed: Set<Followed>, by author: Author, isUndoable: Bool
    ) throws {
        guard !ids.isEmpty, !followed.isEmpty else { return }
        var reach = Reach(of: author, in: districts)
        for finding in try findings.all().records {
            guard let id = finding.inspection, ids.contains(Name(id)), let inspection = try inspections.findReadable(id)
            else { continue }
            _ = try bring(finding, in: followed, by: author, to: inspection, within: &reach, isUndoable: isUndoable)
        }
    }

    /// - Returns: false where it is there already, or cannot be changed.
    private func bring(
        _ finding: Finding, in followed: Set<Followed>, by author: Author, to inspection: Inspection,
        within reach: inout Reach, isUndoable: Bool = false
    ) throws -> Bool {
        let isMoved = followed.contains(.site)
        // Each takes a look at the whole database, which a day does not need.
        let isLeft = try isMoved && !reach.includes(finding.district, of: finding.envelope.channels)
        let mayTakeOut = try isMoved && reach.mayTakeOut()
        func follow(_ finding: inout Finding) {
            if followed.contains(.day), !finding.isCorrected(before: inspection.date) {
                finding.move(to: inspection.date)
            }
            guard isMoved else { return }
            finding.settleSite(with: inspection, by: author, mayTakeOut: mayTakeOut)
            finding.site = inspection.site
            guard let district = inspection.district, district != finding.district else { return }
            if isLeft {
                finding.envelope.join(district)
            } else {
                finding.follow(to: district, with: inspection, by: author, mayTakeOut: mayTakeOut)
            }
        }
        do {
            guard isUndoable else { return try findings.amend(finding.id, by: author, change: follow) }
            try findings.update(finding.id, by: author, change: follow)
            return true
        } catch is RecordError {
            return false
        } catch let error as RecordActionError where error.isOfDeleted {
            return false
        }
    }

    private func findings(touchedBy references: [RecordReference]) throws -> [Finding] {
        let ids = references.filter { $0.kind == .finding }.map(\.id)
        let inspections = Set(references.filter { $0.kind == .inspection }.map { Name($0.id) })
        if inspections.isEmpty { return try ids.compactMap { try findings.findReadable($0) } }
        let known = Set(ids.map { Name($0) })
        return try findings.all().records.filter { finding in
            known.contains(Name(finding.id)) || finding.inspection.map { inspections.contains(Name($0)) } == true
        }
    }

    private func move(of inspection: String, movedHere: MovesHere) throws -> InspectionMove? {
        guard let record = try inspections.findReadable(inspection),
            try collection(of: .inspection).exchange(of: inspection)?.isSent == true
        else { return nil }
        let reference = RecordReference(.inspection, id: inspection)
        return InspectionMove(inspection: record, moved: movedHere.moved(reference, as: record.object))
    }
}

/// The user's rights on records of others, as far as this laptop shows them. Each answer reads the whole database, so it is
/// kept for all findings of one call.
private struct Reach {
    private let author: Author
    private let districts: Districts
    private var isSupervisor: Bool?
    private var channels: Set<Name>?

    init(of author: Author, in districts: Districts) {
        self.author = author
        self.districts = districts
    }

    /// Whether the author may be a supervisor, who takes records of others out of their districts.
    mutating func mayTakeOut() throws -> Bool {
        if let isSupervisor { return isSupervisor }
        let answer = try author.name.map { try districts.store.supervisorRole(of: $0) != .unlikely } ?? true
        isSupervisor = answer
        return answer
    }

    /// False for a record of several districts that is here for one of the others: its people alone decide about this one.
    ///
    /// - Parameter all: the record's channels.
    mutating func includes(_ district: District?, of all: [String]) throws -> Bool {
        guard all.count > 1, let district else { return true }
        let present = try channels ?? districts.presentChannels()
        channels = present
        return present.contains(Name(District.channelPrefix + district.code))
    }
}

extension RecordActionError {
    /// The record, or the inspection that it is part of, was deleted.
    fileprivate var isOfDeleted: Bool {
        switch code {
        case .notFound, .partOfDeleted: true
        default: false
        }
    }
}

extension Finding {
    /// Moves to the district of its inspection.
    ///
    /// A gateway lets only supervisors take another user's finding out of a district. An inspector who moves their own
    /// inspection shares the findings of others with the people of the new district, and those of the old one keep them.
    ///
    /// - Parameter mayTakeOut: false for a user who is no supervisor. A user who moves another user's inspection within its
    ///   district moves the findings there, which may be in another one by then.
    mutating func follow(
        to district: District, with inspection: Inspection?, by author: Author, mayTakeOut: Bool = true
    ) {
        if staysWithOthers(than: author, inspection, mayTakeOut: mayTakeOut) {
            envelope.join(district)
        } else {
            envelope.move(to: district)
        }
    }

    /// Whether its people keep it when the author takes it along with an inspection of their own.
    private func staysWithOthers(than author: Author, _ inspection: Inspection?, mayTakeOut: Bool) -> Bool {
        guard let name = author.name, let creator = envelope.createdBy, let inspection else { return false }
        return !creator.isExactly(name)
            && (!mayTakeOut || RecordOwners(of: .inspection, inspection.object).has(name))
    }

    /// Where it is, is decided with its inspection. While its district was open, the people of each had it.
    fileprivate mutating func settleSite(with inspection: Inspection, by author: Author, mayTakeOut: Bool) {
        var contested = ContestedValues(of: object)
        let open = contested.fields[FieldPath("district")] ?? []
        let left = open.compactMap { $0.value?.stringValue }.filter { !$0.isExactly(district?.code ?? "") }
            .map { Name(District.channelPrefix + $0) }
        if !staysWithOthers(than: author, inspection, mayTakeOut: mayTakeOut) {
            envelope.channels.removeAll { left.contains(Name($0)) }
        }
        guard envelope.rest[ContestedValues.member] != nil else { return }
        contested.remove(Set(Followed.site.paths))
        contested.write(to: &envelope.rest)
    }
}
