import BLIPProtocol
import DocumentValues
import NIOCore

@testable import SyncProtocol

extension FuzzTarget {
    /// Two checkpoints, as the folder and the gateway keep them, and what they have in common.
    static let checkpoint = FuzzTarget(
        name: "checkpoint",
        seeds: {
            [
                #"{"time":5,"local":12,"remote":"34"}"#, #"{"localCompleted":[0,5,7,2],"remote":"1:2:3"}"#,
                #"{"localCompleted":[0,5,7,18446744073709551608]}"#, #"{"localCompleted":[0,18446744073709551615]}"#,
                #"{"local":3,"mark":"b","earlierMark":"a"}"# + "\n" + #"{"local":3,"mark":"c"}"#,
                #"{"local":3,"remote":8}"# + "\n" + #"{"localCompleted":[0,4,9,1],"remote":"7"}"#,
            ].map { Array($0.utf8) }
        }
    ) { bytes in
        let checkpoints = bytes.split(separator: UInt8(ascii: "\n")).prefix(2).compactMap {
            Checkpoint(parsing: Array($0))
        }
        for checkpoint in checkpoints {
            let written = checkpoint.json(at: 1_800_000_000_000)
            check(Checkpoint(parsing: written) != nil, "a checkpoint does not come back: \(text(written))")
            var ranges = checkpoint.completed
            for sequence in [0, 1, ranges.through, ranges.through + 1, 1 << 40] {
                ranges.insert(sequence)
                check(ranges.contains(sequence), "\(sequence) is lost")
                ranges.remove(sequence)
                check(sequence == 0 || !ranges.contains(sequence), "\(sequence) stays")
            }
        }
        guard checkpoints.count == 2 else { return }
        let common = checkpoints[0].reconciled(with: checkpoints[1])
        check(common.completed.through <= checkpoints[0].completed.through, "more is done than was")
        _ = common.json(at: 0)
    }

    /// A revision's body on its way in: what belongs to the protocol is taken out, the rest stays as it is.
    static let revisionBodies = FuzzTarget(
        name: "revision-bodies",
        seeds: {
            try Recordings.bodies()
                + [
                    #"{"a":1,"_attachments":{"blob_/p":{"digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","stub":true}}}"#,
                    #"{"p":{"@type":"blob","digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":3},"_exp":5}"#,
                ].map { Array($0.utf8) }
        }
    ) { bytes in
        if case .document(let body)? = try? PulledBody(reading: bytes) {
            let read = try? DocumentBody(reading: body.bytes)
            check(read != nil, "a pulled body is no object: \(text(body.bytes))")
            check(read?.digests == body.digests, "a pulled body names other blobs: \(text(body.bytes))")
        }
        let rev = Rev(collection: nil, documentID: "a", revision: "2-b", body: ByteBuffer(bytes: bytes))
        let pushed = try IncomingRevision(rev)
        check((try? JSONObject(parsing: pushed.body)) != nil, "a pushed body is no object: \(text(pushed.body))")
    }
}
