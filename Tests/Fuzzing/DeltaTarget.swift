import DocumentValues

@testable import SyncProtocol

extension FuzzTarget {
    /// Two lines: a document, and what becomes of it. The difference between them makes the one of the other; and
    /// the second line as a difference from anybody makes a document or is refused.
    static let delta = FuzzTarget(
        name: "delta",
        seeds: {
            let pairs: [[String]] = [
                [
                    #"{"a":1,"b":[1,2,3],"c":{"d":"a text of some length"}}"#,
                    #"{"a":2,"b":[1,5],"c":{"d":"a text of great length"},"e":null}"#,
                ],
                [
                    #"{"b":[1,2,3],"c":{"d":"abc"}}"#,
                    #"{"b":{"0":5,"2-":[]},"c":{"d":["=1-1+1|x=1",0,2]},"e":[7]}"#,
                ],
                [#"{"a":"x"}"#, #"[{"a":[]}]"#],
            ]
            return pairs.map { Array($0.joined(separator: "\n").utf8) }
        }
    ) { bytes in
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).map { Array($0) }
        guard lines.count == 2 else { return }
        _ = DeltaBody.patched(lines[0], revision: RevisionID(generation: 2, digest: "b"), with: lines[1])
        _ = DeltaBody.wirePatched(lines[0], with: lines[1])
        _ = try? DeltaBody.wireDifference(from: lines[0], to: lines[1])
        let old = try JSONObject(parsing: lines[0])
        let new = try JSONValue(parsing: lines[1])
        if let applied = try? JSONDelta.apply(new, to: old) {
            check((try? JSONObject(parsing: applied.bytes)) == applied, "a patched document does not come back")
        }
        guard case .object(let new) = new else { return }
        let difference = JSONDelta.difference(from: old, to: new)
        let again = try? JSONDelta.apply(.object(difference), to: old)
        check(again == new, "the difference \(difference) does not lead to \(new)")
    }
}
