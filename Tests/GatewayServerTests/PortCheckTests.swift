import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import GatewayServer

/// A port that is opened for the check is closed again, also after an error.
@Suite(.timeLimit(.minutes(1))) struct PortCheckTests {
    private enum Failure: Error { case opening, closing }

    /// Closes like any other, and reports that it could not.
    private final class FailingClose: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            context.close(mode: mode, promise: nil)
            promise?.fail(Failure.closing)
        }
    }

    private static func listener(failsToClose: Bool) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if failsToClose { try channel.pipeline.syncOperations.addHandler(FailingClose()) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    @Test(arguments: [false, true]) func allAreClosedAndTheFirstFailureIsThrown(canBeOpened: Bool) async throws {
        let other = try await Self.listener(failsToClose: false)
        await #expect(throws: canBeOpened ? Failure.closing : .opening) {
            try await PortCheck.run([
                { try await Self.listener(failsToClose: true) },
                { other },
                { if canBeOpened { try await Self.listener(failsToClose: false) } else { throw Failure.opening } },
            ])
        }
        #expect(!other.isActive)
    }

    /// With the setting, since the check of a configuration asks no name server. A part of a name this long is asked of none.
    @Test func aHostThatNobodyKnowsIsNamedWithItsSetting() async throws {
        let host = String(repeating: "a", count: 64) + ".invalid"
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await GatewayConfiguration.Interface(host: host, port: 4_994).open(as: .publicAPI)
        }
        #expect(error?.description.hasPrefix("api.public_interface: the host \(host) is not known here: ") == true)
    }

    @Test func whoComesWhileAPortIsTriedIsSentAway() async throws {
        let tried = try await GatewayConfiguration.Interface(host: "127.0.0.1", port: 0).open(as: .publicAPI)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: try #require(tried.localAddress)).get()
        try await PortCheck.run([{ tried }])
        _ = try? await client.closeFuture.get()
        #expect(!client.isActive)
    }
}
