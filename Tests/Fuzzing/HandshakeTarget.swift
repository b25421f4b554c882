import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import SyncProtocol

@testable import BLIPTransport
@testable import GatewayServer

extension FuzzTarget {
    /// The first bytes of a connection that may become a sync connection, and the frames behind them.
    static let handshake = FuzzTarget(
        name: "handshake",
        seeds: {
            let head = "GET /db/_blipsync HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            let key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            let texts = [
                head + key
                    + "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3, BLIP_3+CBMobile_2\r\n\r\n\u{2}\u{3}abc\u{9}\u{0}",
                head + key + "Sec-WebSocket-Protocol: SyncGatewaySession_cafe,BLIP_3+CBMobile_3\r\n"
                    + "Authorization: Basic YW5uOmxldG1laW4=\r\nCookie: SyncGatewaySession=x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}",
            ]
            return texts.map { Array($0.utf8) }
        }
    ) { bytes in
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.count
        try readFrames(bytes[end...])
        for head in try heads(bytes[..<end]) { checkHead(head) }
    }

    private static func heads(_ bytes: ArraySlice<UInt8>) throws -> [HTTPRequestHead] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        // What comes before a breach of the rules counts.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        var heads: [HTTPRequestHead] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return heads
    }

    private static func checkHead(_ head: HTTPRequestHead) {
        let request = GatewayRequest(head, port: .publicAPI, client: "", memory: RequestMemory())
        _ = (
            Login.basicCredentials(request.header(.authorization)),
            Login.cookie(named: LoginRules.usualCookieName, in: request.header(.cookie))
        )
        guard BLIPServerUpgrade.isWebSocketHandshake(head) else { return }
        let offers = BLIPServerUpgrade.offeredSubprotocols(head)
        _ = SyncSubprotocol.selected(from: offers)
        let answer = BLIPServerUpgrade.switchingProtocols(
            key: head.headers.first(name: "Sec-WebSocket-Key") ?? "", subprotocol: offers.first ?? "",
            headers: [("Set-Cookie", head.headers.first(name: "Cookie") ?? "")])
        check(answer.components(separatedBy: "\r\n").count == 8, "an answer with lines of the client's: \(answer)")
    }

    private static func readFrames(_ bytes: ArraySlice<UInt8>) throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: TransportLimits.webSocketMessageBytes)))
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        var assembler = WebSocketAssembler(role: .server)
        while let frame = try channel.readInbound(as: WebSocketFrame.self) { _ = try assembler.receive(frame) }
    }
}
