import DocumentStore
import DocumentValues
import FieldModels

/// A version of a record that this laptop knows.
public struct RecordVersion: Sendable {
    /// Who changed the record last in it, and when.
    public let stamp: VersionStamp
    public let body: JSONObject

    init(_ body: JSONObject) {
        self.body = body
        stamp = VersionStamp(of: body)
    }
}

extension History {
    /// The versions before each change of this laptop, and the present one: the oldest first. A deleted record has no present
    /// one.
    public func versions(of record: RecordReference) throws -> [RecordVersion] {
        let earlier = try journal.entries().flatMap(\.records).filter { $0.reference == record }.compactMap {
            $0.before?.body
        }
        let present = try collection(of: record.kind).document(id: record.id)?.body
        return (earlier + [present].compactMap(\.self)).reduce(into: [JSONObject]()) { versions, body in
            // An undo brings a version back.
            if versions.last.map({ !$0.hasSameContent(as: body) }) ?? true { versions.append(body) }
        }.map { RecordVersion($0) }
    }

    /// What the gateway had last; `nil` where that is not known here.
    public func gatewayVersion(of record: RecordReference) throws -> RecordVersion? {
        let exchange = try collection(of: record.kind).exchange(of: record.id)
        let body =
            exchange?.isSent == true
            ? try collection(of: record.kind).document(id: record.id)?.body
            : try gatewayBody(of: record.kind, record.id)
        return body.map { RecordVersion($0) }
    }
}
