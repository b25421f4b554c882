import DocumentValues
import FieldModels

@testable import FieldRecords

extension FuzzTarget {
    /// Three versions of a record, as programs of any age may have written them, and the conflicts in them.
    static let conflicts = FuzzTarget(
        name: "conflicts",
        seeds: {
            [
                #"{"score":1,"answers":{"a":1},"photos":[],"status":"draft"}"# + "\n"
                    + #"{"score":2,"answers":{"a":2},"photos":[{"name":"d","blob":{"digest":"sha1-a"}}]}"# + "\n"
                    + #"{"score":3,"answers":{"b":1},"status":"approved","conflicts":[{"field":"score","value":4}]}"#,
                #"{"conflicts":[{"deleted":true,"by":"m"},{"field":["answers","a"],"value":null,"at":"x"},7]}"# + "\n"
                    + #"{"conflicts":{"a":1},"channels":["a","a"]}"# + "\n" + "{}",
            ].map { Array($0.utf8) }
        }
    ) { bytes in
        let versions = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).prefix(3)
            .map { try? JSONObject(parsing: Array($0)) }
        let (base, a, b) = (versions[0], versions.count > 1 ? versions[1] : nil, versions.count > 2 ? versions[2] : nil)
        for kind in [RecordKind.inspection, .site, .assignment] {
            let merged = RecordMerge.merge(kind, base: base, a: a, b: b)
            check(merged == RecordMerge.merge(kind, base: base, a: b, b: a), "a merge depends on which side is which")
            guard let merged, let conflict = RecordConflict(kind, id: "a", object: merged) else { continue }
            check(
                RecordConflict(kind, id: "a", object: merged) == conflict
                    && !(conflict.fields.isEmpty && conflict.deletion == nil),
                "a conflict without anything to decide")
        }
    }
}
