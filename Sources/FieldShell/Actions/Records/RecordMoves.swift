import DocumentValues
import FieldModels
import FieldRecords

/// Moves records to another site or district, with the records that belong to them.
struct RecordMoves {
    let session: ShellSession

    func site(called text: String, for inspection: RecordReference) throws -> Site {
        let chosen = try RecordFinder(session: session).find(text, among: [.site])
        guard let site = try session.field().sites.find(chosen.id) else {
            throw RecordActionError(.notFound, kind: .site, id: chosen.id)
        }
        if let district = site.district { try checkMayMove(inspection, to: district.code) }
        return site
    }

    /// The site of an inspection, and of its findings: another one, because its own is gone or was the wrong one.
    func move(_ reference: RecordReference, to site: Site) throws -> Done {
        let field = try session.field()
        let findings = try field.moves.moveInspection(reference.id, toSite: site, by: session.author())
        let with = findings > 0 ? ", with \(findings.of("finding"))" : ""
        return Done(
            "The inspection \(reference.shortID) is of \(site.name) now\(with).",
            object: try field.inspections.find(reference.id)?.identifiedObject ?? [:])
    }

    /// The gateway would refuse the move, with all other changes of the same edit.
    ///
    /// - Throws: `UsageError` if the user gives it up, or cannot be asked.
    func checkMayMove(_ reference: RecordReference, to district: String) throws {
        guard let doubt = try AnswerDoubts(session: session).doubt(aboutMoveOf: reference, to: district) else { return }
        guard try session.consents(to: "\(doubt) Move it all the same?".printable) else {
            throw UsageError("Nothing was changed.", hint: "Ask a supervisor to move it.")
        }
    }

    /// The records of a site or an inspection go to another district with it.
    ///
    /// - Returns: the records that went along; `nil` if there are none.
    func takeAlong(from old: some FieldRecord, to new: some FieldRecord) throws -> String? {
        guard let before = old.district, let now = new.district, before != now else { return nil }
        let field = try session.field()
        let isSite = type(of: new).kind == .site
        let moved: MovedRecords
        switch type(of: new).kind {
        case .site: moved = try field.moves.moveRecords(ofSite: new.id, from: before, to: now, by: session.author())
        case .inspection:
            moved = try field.moves.moveFindings(ofInspection: new.id, from: before, to: now, by: session.author())
        case .finding, .form, .assignment, .response: return nil
        }
        var lines = moved.isEmpty ? [] : ["Moved to \(now) with it: \(moved.counts)."]
        let left = try isSite ? field.moves.records(ofSite: new.id, in: before) : MovedRecords()
        if !left.isEmpty {
            lines.append(
                "Still in \(before), since others have them there: \(left.counts). Users who have \(before) alone do not see "
                    + "the site any more. To move an inspection, too: edit \(session.recordPlaceholder) site=\(new.id)")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

extension MovedRecords {
    /// `2 inspections, 1 finding`.
    fileprivate var counts: String {
        [
            (inspections, "inspection"), (findings, "finding"), (assignments, "assignment"), (responses, "response"),
        ]
        .filter { $0.0 > 0 }.map { $0.0.of($0.1) }.joined(separator: ", ")
    }
}

extension FieldDatabase {
    /// A finding's district can only be set to that of its inspection. One that is in another district already can
    /// still be changed otherwise.
    ///
    /// - Throws: `RecordError`, as for the other answers of a question.
    func checkMove(from old: Finding, to new: Finding) throws {
        guard old.district != new.district else { return }
        do { try districts.check(new) } catch let error as FindingDistrictError {
            let problem = FieldProblem("district", message: AdviceText.text(error.problem))
            throw RecordError(kind: .finding, id: new.id, problems: [problem])
        }
    }
}
