import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// Results as JSON for a program: one object a line.
public enum JSONRenderer {
    /// The texts of others in them cannot move the cursor or turn the direction of the screen.
    ///
    /// - Parameter session: has the whole records of a list, which itself has only the shown parts.
    ///
    /// - Throws: `StoreError` where the records of a list cannot be read.
    public static func lines(_ result: CommandResult, of session: ShellSession) throws -> [String] {
        try portions(result, of: session).all()
    }

    /// The same in portions, so that a list of all records takes little memory.
    static func portions(_ result: CommandResult, of session: ShellSession) throws -> Portions<String> {
        try objects(result, of: session).map { $0.map { $0.description.printableJSON } }
    }

    /// An error, for the standard error.
    public static func line(_ error: any Error) -> String {
        JSONObject(dictionaryLiteral: ("error", .string(ErrorText.text(error)))).description
    }

    private static func objects(_ result: CommandResult, of session: ShellSession) throws -> Portions<JSONObject> {
        switch result {
        case .done(let done): Portions([done.object])
        case .listing(let listing): try objects(listing, of: session)
        case .groups(let groups): try objects(groups)
        case .detail(let detail): Portions([detail.object])
        case .status(let report): Portions([object(report)])
        case .imported(let report, let file): Portions(object(report, file: file))
        case .exported(let report): Portions([object(report)])
        case .synced(let report): Portions([object(report)])
        case .quarantine(let records): try inPortions(records).map { $0.map(\.object) }
        case .outbox(let records): try inPortions(records).map { $0.map(\.object) }
        case .conflicts(let rows): try inPortions(rows).map { $0.map(\.object) }
        case .form(let output): Portions(output.objects)
        case .help(let topic): Portions([["help": .string(HelpText.text(topic, width: 100))]])
        case .more, .quit: Portions([])
        }
    }

    private static func inPortions<Record: Sendable>(_ records: [Record]) -> Portions<Record> {
        Portions(records[...], by: ShellLimits.rowsAtOnce)
    }

    /// The list has only the shown parts of most records.
    private static func objects(_ listing: Listing, of session: ShellSession) throws -> Portions<JSONObject> {
        let (kind, records) = (listing.kind, try session.field().listing)
        return try listing.rows.map { rows in
            let objects = rows.compactMap(\.object)
            return try objects.count == rows.count
                ? objects : records.identifiedObjects(of: kind, rows.map(\.reference.id))
        }
    }

    private static func objects(_ groups: RecordGroups) throws -> Portions<JSONObject> {
        try groups.groups.map { parts in
            parts.flatMap { part in
                part.rows.compactMap(\.object).map { ["list": .string(part.title), "record": .object($0)] }
            }
        }
    }

    private static func object(_ report: StatusReport) -> JSONObject {
        var records = JSONObject()
        for count in report.counts {
            var entry: JSONObject = ["here": .int(count.count)]
            entry["waiting"] = count.waiting.map { .int($0) }
            records[count.kind.plural] = .object(entry)
        }
        var object: JSONObject = ["folder": .string(report.folder)]
        object["gateway"] = report.gateway.map { .string($0) }
        object["user"] = report.user.map { .string($0) }
        object["sealedByPassphrase"] = .bool(report.isSealedByPassphrase)
        object["lock"] = .string(report.lock.rawValue)
        object["records"] = .object(records)
        object["due"] = .int(report.due)
        object["overdue"] = .int(report.overdue)
        object["drafts"] = .int(report.drafts)
        var responses = JSONObject()
        for stage in ResponseStage.allCases { responses[stage.rawValue] = .int(report.responses[stage]) }
        responses["refused"] = .int(report.refusedResponses)
        object["responses"] = .object(responses)
        object["returned"] = .array(report.returned.map { .object(Self.object($0)) })
        object["conflicts"] = .int(report.conflicts)
        object["outbox"] = .int(report.outbox)
        object["quarantine"] = .int(report.quarantine)
        object["photos"] = .string(report.photos.rawValue)
        object["absentPhotos"] = report.absentPhotos.map { .int($0) }
        object["sync"] = .object(Self.object(report.sync))
        return object
    }

    static func object(_ status: SyncStatus) -> JSONObject {
        var object = JSONObject()
        switch status.service {
        case .none: object["service"] = "none"
        case .stopped: object["service"] = "stopped"
        case .gone: object["service"] = "gone"
        case .running(let state):
            object["service"] = "running"
            object["process"] = status.process.map { .int(Int($0)) }
            object["state"] = .string(state.activity.rawValue)
            object["why"] = state.why.map { .string(AdviceText.text($0)) }
        }
        object["lastExchange"] = status.lastExchange.map {
            .string(Timestamp(secondsSince1970: $0).description)
        }
        object["clockAheadSeconds"] = status.secondsAhead.map { .number(JSONNumber($0)) }
        return object
    }

    /// A line for each odd row, then one with the counts.
    private static func object(_ report: ImportReport, file: String?) -> [JSONObject] {
        let notes = report.notes.map { note -> JSONObject in
            var object: JSONObject = [
                "file": .string(note.file), "line": .int(note.line), "kind": .string(note.kind.rawValue),
                "what": .string(note.what), "became": .string(note.outcome),
            ]
            object["column"] = note.column.map { .string($0) }
            object["_id"] = note.record.map { .string($0) }
            return object
        }
        let samples = report.samples.map { sample -> JSONObject in
            var object: JSONObject = [
                "file": .string(sample.file), "line": .int(sample.line), "_id": .string(sample.id),
                "sample": .object(sample.body),
            ]
            object["changes"] = sample.changes.map { .array($0.map { .string($0) }) }
            return object
        }
        let counts = report.counts.map { count -> JSONValue in
            [
                "file": .string(count.file), "records": .string(count.records), "rows": .int(count.rows),
                "added": .int(count.added), "updated": .int(count.updated), "unchanged": .int(count.unchanged),
                "kept": .int(count.kept), "leftOut": .int(count.leftOut),
            ]
        }
        var summary: JSONObject = ["imported": .array(counts), "odd": .int(notes.count)]
        summary["report"] = file.map { .string($0) }
        if report.addedForOffice > 0 { summary["addedForOffice"] = .int(report.addedForOffice) }
        if !report.strayDistricts.isEmpty {
            summary["strayDistricts"] = .array(report.strayDistricts.map { .string($0) })
        }
        if report.isPreview { summary["preview"] = true }
        return samples + notes + [summary]
    }

    private static func object(_ report: ExportReport) -> JSONObject {
        let files = report.files.map { file -> JSONValue in
            ["name": .string(file.name), "records": .int(file.records)]
        }
        return [
            "folder": .string(report.folder), "files": .array(files), "attachments": .int(report.attachments),
            "missingAttachments": .array(report.missingAttachments.map(JSONValue.string)),
            "damagedAttachments": .array(report.damagedAttachments.map(JSONValue.string)),
            "unreadable": .int(report.unreadable.count),
        ]
    }

    private static func object(_ report: SyncReport) -> JSONObject {
        func counts(_ counts: [RecordKind: Int]) -> JSONValue {
            var object = JSONObject()
            for kind in RecordKind.allCases { object[kind.plural] = counts[kind].map { .int($0) } }
            return .object(object)
        }
        let failures = report.failures.map { failure -> JSONValue in
            [
                "direction": .string(failure.isPush ? "push" : "pull"), "_id": .string(failure.reference.id),
                "collection": .string(failure.reference.kind.collection.description), "code": .int(failure.code),
                "message": .string(AdviceText.text(failure.message)),
            ]
        }
        var object: JSONObject = [
            "sent": counts(report.counts.pushed), "received": counts(report.counts.pulled),
            "sentPhotos": ["count": .int(report.sentPhotos.count), "bytes": .int(report.sentPhotos.bytes)],
            "receivedPhotos": ["count": .int(report.receivedPhotos.count), "bytes": .int(report.receivedPhotos.bytes)],
            "absentPhotos": .int(report.absentPhotos),
            "sentDeletions": counts(report.counts.pushedDeletions),
            "receivedDeletions": counts(report.counts.pulledDeletions),
            "deletedByOthers": .array(report.records.deleted.map { .object(Self.object($0)) }),
            "changedAfterApproval": .array(report.records.changedApprovals.map { .object(Self.object($0)) }),
            "handedOver": .array(report.records.handedOver.map { .object(Self.object($0)) }),
            "begunTwice": .array(report.records.repeated.map { .object(Self.object($0)) }),
            "changedByOthers": .array(report.records.changedByOthers.map { .object(Self.object($0)) }),
            "followed": .array(report.records.followed.map { .object(Self.object($0)) }),
            "returned": .array(report.records.returned.map { .object(Self.object($0)) }),
            "merged": .array(report.records.merged.map { .object(Self.object($0)) }),
            "removed": counts(report.counts.purged), "keptAside": .int(report.waiting.quarantined),
            "conflicts": .int(report.contested),
            "undecided": counts(report.counts.undecided), "failures": .array(failures),
            "refused": .int(report.waiting.refused), "end": .string(report.end.rawValue),
            "milliseconds": .int(report.milliseconds), "byService": .bool(report.by != .command),
        ]
        object["inQuarantine"] = report.waiting.inQuarantine.map { .int($0) }
        if !report.lacking.isEmpty { object["lacking"] = .array(report.lacking.map { .string($0.plural) }) }
        object["clockAheadSeconds"] = report.secondsAhead.map { .number(JSONNumber($0)) }
        return object
    }

    private static func object(_ record: SyncReport.NamedRecord) -> JSONObject {
        [
            "_id": .string(record.reference.id), "collection": .string(record.reference.kind.collection.description),
            "title": .string(record.line),
        ]
    }

    private static func object(_ record: MergedRecord) -> JSONObject {
        [
            "_id": .string(record.reference.id), "collection": .string(record.reference.kind.collection.description),
            "title": .string(record.title), "outcome": .string(record.outcome.rawValue),
            "toDecide": .string(record.subjects),
        ]
    }

    private static func object(_ inspection: ReturnedInspection) -> JSONObject {
        var object: JSONObject = ["_id": .string(inspection.reference.id), "title": .string(inspection.title)]
        object["review"] = inspection.review.map { .string($0) }
        return object
    }
}
