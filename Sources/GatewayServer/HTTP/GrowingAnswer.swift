import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// An answer made of pieces: a small one is sent as a whole, a larger one while it is made, so that it takes little
    /// memory.
    ///
    /// - Parameters:
    ///   - request: its account is charged for the bytes that the client has not read yet.
    ///   - next: the next piece, by a state that goes from piece to piece; `nil` behind the last one.
    static func growing<State: Sendable>(
        _ state: State, for request: GatewayRequest, type: String, headers: HTTPFields = [:],
        next: @escaping @Sendable (inout State) async throws -> [UInt8]?
    ) async throws -> Response {
        var state = state
        var begun: [UInt8] = []
        var pace = FairPace()
        while begun.count < GatewayServerLimits.wholeAnswer {
            guard let piece = try await next(&state) else { return .bytes(begun, type: type, headers: headers) }
            try await request.authorization?.check()
            begun += piece
            await pace.giveWay()
        }
        try request.load.answer(begun.count)
        var headers = headers
        headers[.contentType] = type
        let (rest, bytes) = (state, begun)
        let body = ResponseBody { writer in
            var state = rest
            try await writer.write(ByteBuffer(bytes: bytes))
            var pace = FairPace()
            while let piece = try await next(&state) {
                // A client that reads slowly must not get pieces that are made after its authorization ended.
                try await request.authorization?.check()
                try await writer.write(ByteBuffer(bytes: piece))
                await pace.giveWay()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
