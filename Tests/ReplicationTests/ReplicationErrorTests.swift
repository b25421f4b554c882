import BLIPTransport
import DocumentStore
import Foundation
import SyncProtocol
import Testing

@testable import Replication

/// Numbers and domains are Couchbase Lite's.
@Suite struct ReplicationErrorTests {
    @Test(arguments: [
        (TransportError.Code.httpStatus(401), 10_401, false), (.httpStatus(503), 10_503, true),
        (.httpStatus(500), 10_500, true), (.httpStatus(404), 10_404, false), (.closed(code: 1006), 11_006, true),
        (.closed(code: 1001), 11_001, true), (.closed(code: 4001), 14_001, true), (.closed(code: 4002), 14_002, false),
        (.closed(code: 1002), 11_002, false), (.dns(isTemporary: true), 5_001, true),
        (.dns(isTemporary: false), 5_002, false), (.timedOut, 5_003, true), (.invalidURL, 5_004, false),
        (.tooManyRedirects, 5_005, false), (.tls(.handshakeFailed), 5_006, false), (.tls(.expired), 5_007, false),
        (.tls(.notPinned), 5_008, false), (.tls(.notSelfSigned), 5_008, false), (.tls(.untrusted), 5_011, false),
        (.tls(.selfSigned), 5_011, false), (.tls(.hostMismatch), 5_015, false), (.unknownInterface, 5_027, false),
        (.protocolViolation, 11_002, false),
    ])
    func transportErrorsHaveTheirNumbers(code: TransportError.Code, number: Int, isTransient: Bool) {
        let error = ReplicationError(TransportError(code, message: "what happened"))
        #expect(error.domain == "CouchbaseLite")
        #expect(error.code == number)
        #expect(error.isTransient == isTransient)
    }

    @Test(arguments: [
        (TransportError.Code.refused, ECONNREFUSED, true), (.reset, ECONNRESET, true),
        (.unreachable, EHOSTUNREACH, false),
    ])
    func errorsOfTheSystemKeepTheirNumbers(code: TransportError.Code, number: Int32, isTransient: Bool) {
        let error = ReplicationError(TransportError(code, message: "", errno: number))
        #expect(error.domain == ReplicationError.posixDomain)
        #expect(error.code == Int(number))
        #expect(error.isTransient == isTransient)
    }

    /// Published examples look at `change.status.error as NSError?`.
    @Test func anNSErrorHasTheErrorsOwnDomain() throws {
        let refused: (any Error)? = ReplicationError(
            TransportError(.refused, message: "Nobody is there.", errno: ECONNREFUSED))
        let error = try #require(refused as NSError?)
        #expect(error.domain == NSPOSIXErrorDomain && error.code == Int(ECONNREFUSED))
        #expect(error.localizedDescription == "Nobody is there.")
        #expect((refused as? ReplicationError)?.code == Int(ECONNREFUSED))
        let forbidden = ReplicationError(SyncFailure.http(403, message: "missing channel")) as NSError
        #expect(forbidden.domain == "CouchbaseLite" && forbidden.code == CBLError.httpForbidden)
        #expect(forbidden.localizedDescription == "missing channel")
        #expect(forbidden.localizedRecoverySuggestion?.contains("administrator") == true)
        let closed = StoreError(.notOpen, message: "It is closed.") as NSError
        #expect(closed.domain == "CouchbaseLite" && closed.code == CBLError.notOpen)
    }

    /// A sync function may answer anything, and programs print errors to terminals.
    @Test func aReasonWithControlCharactersIsSafeToPrint() {
        let error = ReplicationError(SyncFailure.http(403, message: "no \u{1b}[31m\né"))
        #expect("\(error)".hasPrefix(#"no \u{1b}[31m\u{a}é. "#), "\(error)")
        #expect(error.message == "no \u{1b}[31m\né", "programs get what was sent")
    }

    @Test func aDocumentsRefusalSaysNothingOfTheNamesOfCollections() {
        let failure = SyncFailure.http(404, message: "top-level property '_rev' is a reserved internal property")
        #expect(ReplicationError(failure).hint?.contains("collections") == true)
        let error = ReplicationError(ofDocument: failure)
        #expect(error.code == CBLError.httpNotFound && error.message == failure.message && error.hint == nil)
        let forbidden = ReplicationError(ofDocument: .http(403, message: "missing channel"))
        #expect(forbidden.hint?.contains("administrator") == true)
    }

    /// It is this side that keeps the document out.
    @Test func aPullFiltersVetoIsNotTheGatewaysDoing() {
        let error = ReplicationError(SyncFailure.rejectedByPullFilter)
        #expect(error.code == CBLError.httpForbidden)
        #expect(error.hint?.contains("administrator") == false)
    }

    @Test func theGatewaysReasonComesFirst() {
        let error = ReplicationError(
            TransportError(.httpStatus(401), message: "refused", serverReason: "Invalid login"))
        #expect(error.message == "Invalid login")
        #expect((error as NSError).code == 10_401)
        #expect((error as NSError).domain == "CouchbaseLite")
    }

    @Test(arguments: [
        (UInt16(1000), 11_001), (1001, 11_001), (1006, 11_006), (1008, 11_008), (4001, 14_001), (4002, 14_002),
    ])
    func endsOfConnectionsHaveTheirNumbers(close: UInt16, number: Int) {
        #expect(ReplicationError(BLIPCloseReason(code: close, isByPeer: true)).code == number)
    }

    @Test func aBrokenConnectionIsClosedAbnormally() {
        let broken = BLIPCloseReason(
            code: 1006, isByPeer: true, error: TransportError(.reset, message: "", errno: ECONNRESET))
        #expect(ReplicationError(broken).code == 11_006)
        let silent = BLIPCloseReason(code: 1006, isByPeer: false, error: TransportError(.timedOut, message: "no pong"))
        #expect(ReplicationError(silent).code == 5_003)
    }

    @Test func failuresOfTheProtocolHaveTheirNumbers() {
        #expect(ReplicationError(.http(404, message: "Collection 'a.b' is not found")).code == 10_404)
        #expect(ReplicationError(SyncFailure(.liteCore, code: 26, message: "")).code == CBLError.remoteError)
        #expect(ReplicationError(SyncFailure(.posix, code: 28, message: "")).domain == ReplicationError.posixDomain)
    }

    @Test func secretsAreNotShown() {
        let basic = BasicAuthenticator(username: "ann", password: "s3cret")
        let session = SessionAuthenticator(sessionID: "s3cret")
        for text in ["\(basic)", String(reflecting: basic), "\(session)", String(reflecting: session)] {
            #expect(!text.contains("s3cret"))
        }
    }
}
