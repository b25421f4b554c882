import Foundation
import Glibc
import Testing

/// `kill -9` of either side in the middle of a sync; after a restart both sides agree.
@Suite(.serialized) struct KilledProcessTests {
    private static func documents(_ count: Int) -> [(id: String, body: String)] {
        let text = String(repeating: "x", count: 300)
        return (0..<count).map { ("d\($0)", #"{"n":\#($0),"text":"\#(text)","channels":["north"]}"#) }
    }

    @Test(.timeLimit(.minutes(4)), arguments: [1, 400, 1_500])
    func theGatewayIsKilledDuringAPush(whenItHas count: Int) throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let laptop = try Laptop()
        try laptop.put(Self.documents(3_000))
        let push = try laptop.start("push", gateway, user: "ann", ["--max-attempts", "1"])
        #expect(eventually { ((try? gateway.documentCount()) ?? 0) >= count })
        gateway.kill()
        _ = push.finish(limit: 60)
        try gateway.start()
        let acknowledged = try gateway.documentCount()
        #expect(acknowledged >= count)
        let again = try laptop.sync("push", gateway, user: "ann")
        #expect(again.status == 0, "\(again.out.suffix(2_000)) \(again.err)")
        #expect(try gateway.documentCount() == 3_000)
    }

    @Test(.timeLimit(.minutes(4)), arguments: [1, 500, 1_500])
    func theLaptopIsKilledDuringAPull(whenItHas count: Int) throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"]])
        let (ann, ben) = (try Laptop(), try Laptop())
        try ann.put(Self.documents(3_000))
        try #require(try ann.sync("push", gateway, user: "ann").status == 0)
        let pull = try ben.start("pull", gateway, user: "ben")
        _ = eventually { pull.outputSoFar.utf8.count > count * 20 || !pull.isRunning }
        pull.signal(SIGKILL)
        _ = pull.finish(limit: 10)
        let again = try ben.sync("pull", gateway, user: "ben")
        #expect(again.status == 0, "\(again.err)")
        #expect(try ben.ids() == ann.ids())
    }

    @Test(.timeLimit(.minutes(4))) func theLaptopIsKilledDuringAPush() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let laptop = try Laptop()
        try laptop.put(Self.documents(3_000))
        let push = try laptop.start("push", gateway, user: "ann")
        #expect(eventually { ((try? gateway.documentCount()) ?? 0) >= 500 })
        push.signal(SIGKILL)
        _ = push.finish(limit: 10)
        let again = try laptop.sync("push", gateway, user: "ann")
        #expect(again.status == 0, "\(again.err)")
        #expect(try gateway.documentCount() == 3_000)
    }

    /// Each takes five seconds: nobody waits for them when the gateway has to end.
    @Test(.timeLimit(.minutes(2))) func slowDocumentsDoNotKeepAGatewayThatHasToEnd() throws {
        let gateway = try Gateway()
        let sync = "function(doc){while(doc.loop){}channel('c'+1);}"
        let configuration = #"{"scopes":{"field":{"collections":{"inspections":{"sync":"\#(sync)"}}}}}"#
        try #require(try gateway.admin("PUT", "/db/", configuration).status == 201)
        let documents = Array(repeating: #"{"loop":true}"#, count: 12).joined(separator: ",")
        let url = "http://127.0.0.1:\(gateway.adminPort)/db.\(Gateway.collection)/_bulk_docs"
        Thread {
            _ = try? HTTP.request(
                "POST", url: url, headers: [("Content-Type", "application/json")],
                body: Data(#"{"docs":[\#(documents)]}"#.utf8))
        }.start()
        let program = try #require(gateway.running)
        let isAtThem = eventually {
            (program.outputSoFar + program.errorsSoFar).contains("A sync function worker was replaced")
        }
        #expect(isAtThem)
        // Killed, and so another status, after fifteen seconds.
        #expect(gateway.kill(SIGTERM).status == 0)
    }

    /// A continuous sync goes on by itself when the gateway is back.
    @Test(.timeLimit(.minutes(4))) func aContinuousSyncOutlivesTheGateway() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let laptop = try Laptop()
        try laptop.put(Self.documents(10))
        let sync = try laptop.start("sync", gateway, user: "ann", ["--continuous", "--max-attempt-wait", "1"])
        #expect(eventually { (try? gateway.documentCount()) == 10 })
        gateway.kill(SIGTERM)
        try laptop.put([("later", #"{"channels":["north"]}"#)])
        try gateway.start()
        #expect(eventually(within: 30) { (try? gateway.documentCount()) == 11 })
        sync.signal(SIGTERM)
        #expect(sync.finish(limit: 15).status == 0)
    }
}
