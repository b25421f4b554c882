import DocumentValues
import FieldModels

/// The findings that an approval notes, which are documents of their own: other laptops may send changes of them when
/// the inspection is approved already.
enum ApprovedFindings {
    static let member = Inspection.Key.approvedFindings.rawValue

    /// Members that say who, when and for whom, or that something is to be decided; and the day on which something was put
    /// right, which is seen after the approval.
    private static let besides = Set(
        (RecordEnvelope.Key.names + [Finding.Key.corrected.rawValue, ContestedValues.member, FieldChanges.member])
            .map { Name($0) })

    /// One digest where they are many: the document has to stay small enough for the gateway, whatever colleagues add.
    static func note(of findings: [Finding]) -> FindingsNote {
        findings.count > FieldRecordsLimits.notedFindings ? .all(digest(of: findings)) : .each(digests(of: findings))
    }

    /// The same for the same findings, in whatever order.
    static func digest(of findings: [Finding]) -> BlobDigest {
        BlobDigest(of: ValueOrder.key(.object(digests(of: findings))))
    }

    /// By the findings' ids, in their order.
    private static func digests(of findings: [Finding]) -> JSONObject {
        let sorted = findings.sorted { Name($0.id) < Name($1.id) }
        return JSONObject(
            members: sorted.map { JSONObject.Member(key: $0.id, value: .string(digest(of: $0))) })
    }

    /// The same for the same content, whatever the order of its members.
    static func digest(of finding: Finding) -> String {
        let content = finding.object.filter { !besides.contains(Name($0)) }
        return BlobDigest(of: ValueOrder.key(.object(content))).text
    }
}
