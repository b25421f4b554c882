import DocumentValues
@testable import SyncFunction

extension FuzzTarget {
    /// What a gateway and its worker process say to each other, where either may have gone wrong.
    static let worker = FuzzTarget(
        name: "worker",
        seeds: {
            var trip = WorkerTrip()
            trip.functions = [(1, Array("function(doc){}".utf8))]
            let user = SyncFunctionUser(name: "ann", roles: ["lead"], channels: ["a", "b"])
            trip.users = [user.bytes]
            trip.calls = [.init(function: 1, document: Array("{}".utf8), oldDocument: nil, meta: nil, user: 0)]
            let replies = [
                #"{"channels":["a"],"access":[[["ann"],["b"]]],"roles":[[["ann"],["role:lead"]]],"expiry":5}"#,
                #"{"rejection":{"status":403,"reason":"no","detail":"d"},"log":[["info","x"]]}"#,
            ]
            let answers = replies.map { WorkerAnswer.outcome(Array($0.utf8)) } + [.noMemory]
            return [trip.bytes, user.bytes] + answers.map(\.bytes)
        }
    ) { bytes in
        if let answer = try? WorkerAnswer(reading: bytes) {
            _ = SyncFunctionReply(.answered(answer)).outcome
            _ = try? WorkerAnswer(reading: answer.bytes)
        }
        if let user = try? WorkerUser(reading: bytes) { _ = user.holds(.channel, named: user.name) }
        let trip = try WorkerTrip(reading: bytes)
        check((try? WorkerTrip(reading: trip.bytes)) == trip, "a trip does not come back")
    }
}
