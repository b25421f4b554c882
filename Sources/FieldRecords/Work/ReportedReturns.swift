import DocumentStore
import DocumentValues
import FieldModels

/// The returns of inspections and filled forms that syncs have named. An inspection may arrive again after its return, with
/// merged or decided values.
///
/// It is a document that is never exchanged. It has digests only, so that no value of a record that is taken from the
/// laptop stays in it.
struct ReportedReturns {
    private var digests: [String]

    init(_ json: [UInt8]?) {
        let object = json.flatMap { JSONObject.readable($0) }
        digests = (object?["returns"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    var json: [UInt8] {
        let elements = digests.map { JSONValue.string($0) }
        return JSONObject(members: [JSONObject.Member(key: "returns", value: .array(elements))]).bytes
    }

    /// - Returns: whether it is new.
    mutating func note(_ inspection: Inspection) -> Bool { note(Self.digest(of: inspection)) }

    /// Of a filled form each comment is a return.
    mutating func note(_ response: Response) -> Bool {
        let last = response.openComments.last?.object.description ?? ""
        return note(SourceDigest.of([response.id, response.instanceID, last]))
    }

    private mutating func note(_ digest: String) -> Bool {
        guard !digests.containsExactly(digest) else { return false }
        digests.append(digest)
        digests.removeFirst(max(0, digests.count - FieldRecordsLimits.reportedReturns))
        return true
    }

    /// The digest of a return: its user and time. Programs that note neither give at least a reason.
    private static func digest(of inspection: Inspection) -> String {
        var step = JSONObject()
        let stamp = FieldChanges(of: inspection.envelope.rest).last(of: [RecordConflict.status])
        stamp?.write(to: &step)
        let reason = stamp == nil ? inspection.review ?? "" : ""
        let submitted = inspection.submittedAt?.description ?? ""
        return SourceDigest.of([inspection.id, step.description, submitted, reason])
    }
}

extension Work {
    private static let returns = "returns"

    /// Notes that a sync names these inspections as returned.
    ///
    /// - Returns: those whose return no sync has named before.
    public func noteReturns(of ids: [String]) throws -> [String] {
        try noteReturns(ids) { reported, id in try inspections.findReadable(id).map { reported.note($0) } ?? false }
    }

    /// The same of filled forms.
    public func noteReturns(ofResponses ids: [String]) throws -> [String] {
        try noteReturns(ids) { reported, id in try responses.findReadable(id).map { reported.note($0) } ?? false }
    }

    private func noteReturns(
        _ ids: [String], isNew: (inout ReportedReturns, String) throws -> Bool
    ) throws -> [String] {
        guard !ids.isEmpty else { return [] }
        let collection = try database.createCollection(name: Self.returns, scope: "laptop")
        var reported = ReportedReturns(try collection.bodies(of: [Self.returns])[0]?.body)
        let new = try ids.filter { try isNew(&reported, $0) }
        if !new.isEmpty { try collection.save(bodies: [(Self.returns, reported.json)]) }
        return new
    }
}
