import Testing
import TranscriptSupport

/// Every recorded REST conversation, held with our gateway.
@Suite(.serialized) struct RecordingTests {
    @Test(.timeLimit(.minutes(2)), arguments: try RESTRecording.names())
    func answersAsRecorded(name: String) async throws {
        try await TestGateway.run { gateway in try await Replay(name, gateway).run() }
    }
}
