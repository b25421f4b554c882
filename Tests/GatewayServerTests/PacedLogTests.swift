import DocumentValues
import Logging
import Testing

@testable import GatewayServer

/// A user who opens and closes syncs all the time does not fill the disk with the log, nor push others out of it.
@Suite struct PacedLogTests {
    @Test func someOfEachAccountAreInTheLog() {
        let log = LogLines()
        let logger = Logger(label: "test") { label in
            ConsoleLogHandler(
                label: label, level: ConsoleLevel(.info), format: .text, redaction: Redaction(.none)
            ) { log.add($0) }
        }
        let syncs = PacedLog(limit: GatewayServerLimits.syncsLogged, unlisted: "More")
        func note(_ user: String) {
            syncs.write("Sync ended", level: .info, metadata: ["user": "\(user)"], of: Name(user), logger: logger)
        }
        for _ in 0..<(GatewayServerLimits.syncsLogged + 5) {
            note("eve")
        }
        note("mara")
        let ended = log.all.filter { $0.contains("Sync ended") }
        // A minute may end meanwhile, and the count begins again.
        let ofEve = ended.filter { $0.contains("user=eve") }.count
        #expect((GatewayServerLimits.syncsLogged...GatewayServerLimits.syncsLogged + 5).contains(ofEve))
        #expect(ended.filter { $0.contains("user=mara") }.count == 1)
    }
}
