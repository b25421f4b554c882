import DocumentStore
import Foundation
import NIOHTTP1
import Synchronization
import Testing

@testable import Replication

/// A gateway, or something in between, that answers the handshake otherwise than with 101.
@Suite struct HandshakeStatusTests {
    /// What a status means to a person is the same whether she waits or not.
    private static let permanent: [(status: Int, code: Int)] = [
        (200, 11_002), (204, 11_002),
        // Redirects that lead nowhere.
        (301, CBLError.invalidRedirect), (302, CBLError.invalidRedirect), (307, CBLError.invalidRedirect),
        (308, CBLError.invalidRedirect),
        (300, 10_300), (303, 10_303), (304, 10_304), (305, 10_305), (400, 10_400), (401, 10_401), (402, 10_402),
        (403, 10_403), (404, 10_404), (405, 10_405), (406, 10_406), (407, 10_407), (409, 10_409), (410, 10_410),
        (412, 10_412), (413, 10_413), (415, 10_415), (421, 10_421), (422, 10_422), (426, 10_426), (431, 10_431),
        (451, 10_451), (501, 10_501), (505, 10_505), (507, 10_507), (511, 10_511),
    ]

    private static let transient = [408, 429, 500, 502, 503, 504]

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func permanentRefusalsStop(isContinuous: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = isContinuous
        configuration.maxAttempts = 10
        for (status, code) in Self.permanent {
            gateway.state.withLock {
                $0.refusals = [.init(statusCode: status)]
                $0.requests = []
            }
            let log = ReplicatorLog(configuration)
            let error = try await log.runToEnd()
            #expect(error?.domain == CBLError.domain && error?.code == code, "\(status): \(error as Any)")
            if code == CBLError.httpBase + status, status != 304 {
                #expect(error?.message == "because \(status)")
            }
            #expect(log.activities == [.connecting, .stopped], "\(status)")
            #expect(gateway.state.withLock { $0.requests.count } == 1, "\(status)")
            log.close()
        }
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func transientRefusalsAreWaitedOut(isContinuous: Bool) async throws {
        for status in Self.transient {
            let gateway = try await LoopbackGateway.start()
            let laptop = try Laptop()
            try laptop.put("ours", #"{"c":"north"}"#)
            gateway.put("theirs", #"{"c":"north"}"#)
            gateway.state.withLock { $0.refusals = Array(repeating: .init(statusCode: status), count: 3) }
            var configuration = try laptop.configuration(gateway)
            configuration.continuous = isContinuous
            configuration.maxAttempts = 4
            let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.005))
            log.replicator.start()
            let end = isContinuous ? Replicator.ActivityLevel.idle : .stopped
            try await log.wait { log.activities.last == end && log.documents.count == 2 }
            #expect(log.errors.map(\.code) == Array(repeating: CBLError.httpBase + status, count: 3))
            let path = log.activities.filter { $0 == .connecting || $0 == .offline }
            #expect(path == [.connecting, .offline, .connecting, .offline, .connecting, .offline, .connecting])
            #expect(try gateway.body("ours") != nil && laptop.json("theirs") != nil, "\(status)")
            #expect(log.error == nil)
            if isContinuous { try await log.stop() } else { log.close() }
            try await gateway.stop()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: transient)
    func aReplicationThatRunsOnceGivesUpInTheEnd(status: Int) async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.refusals = Array(repeating: .init(statusCode: status), count: 20) }
        let laptop = try Laptop()
        let given = try laptop.configuration(gateway)
        var configuration = ReplicatorConfiguration(collections: given.collections, target: given.target)
        configuration.maxAttemptWaitTime = 0.001
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.httpBase + status)
        #expect(gateway.state.withLock { $0.requests.count } == 10)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, 1] as [UInt])
    func oneAttemptIsMadeWhereNoOtherIsWanted(maxAttempts: UInt) async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.refusals = Array(repeating: .serviceUnavailable, count: 3) }
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.maxAttempts = maxAttempts
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.httpBase + 503)
        #expect(gateway.state.withLock { $0.requests.count } == 1)
        log.close()
        try await gateway.stop()
    }

    // MARK: - Redirects

    @Test(.timeLimit(.minutes(1)), arguments: [301, 302, 307, 308])
    func redirectsAreFollowedWithinOneAttempt(status: Int) async throws {
        let (gateway, door) = (try await LoopbackGateway.start(), try await LoopbackGateway.start())
        door.state.withLock {
            $0.refusals = [.init(statusCode: status)]
            $0.refusalHeaders = [("Location", "http://127.0.0.1:\(gateway.port)/db/_blipsync")]
        }
        let laptop = try Laptop()
        try laptop.put("ours", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(door)
        configuration.authenticator = BasicAuthenticator(username: "ann", password: "secret")
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error == nil && gateway.body("ours") != nil)
        let requests = [door, gateway].map { $0.state.withLock { $0.requests } }
        #expect(requests.map { $0.first?.headers["Authorization"].count } == [1, 0], "not for another server")
        log.close()
        try await gateway.stop()
        try await door.stop()
    }

    @Test(
        .timeLimit(.minutes(1)), arguments: ["", "elsewhere", "ftp://127.0.0.1/", "http://", "ws://127.0.0.1:99999/"])
    func aRedirectToNowhereStops(location: String) async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock {
            $0.refusals = [.found]
            $0.refusalHeaders = [("Location", location)]
        }
        let laptop = try Laptop()
        let log = ReplicatorLog(try laptop.configuration(gateway))
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.invalidRedirect, "\(error as Any)")
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aRedirectToItselfEnds() async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock {
            $0.refusals = Array(repeating: .found, count: 50)
            $0.refusalHeaders = [("Location", "/db/_blipsync")]
        }
        let laptop = try Laptop()
        let log = ReplicatorLog(try laptop.configuration(gateway))
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.tooManyRedirects)
        log.close()
        try await gateway.stop()
    }
}
