import TranscriptSupport

/// Seeds out of the recorded conversations. A few are enough: the fuzzer finds the rest.
enum Recordings {
    private static let conversations = [
        "03-push-three", "07-blobs", "08b-prove-attachment", "09-revoke-live", "14-push-rejected", "19-filters",
        "25-cbmobile2",
    ]

    static func messages() throws -> [TranscriptMessage] {
        try conversations.flatMap { name in
            let transcript = try Transcript.load(name)
            return transcript.connections.flatMap { transcript.messages(of: $0) }
        }
    }

    /// One connection's frames each, from one side.
    static func streams() throws -> [[TranscriptFrame]] {
        try conversations.flatMap { name in
            let transcript = try Transcript.load(name)
            return transcript.connections.flatMap { connection in
                [TranscriptDirection.toServer, .toClient].map { transcript.frames(of: connection, $0) }
            }
        }
    }

    static func exchanges() throws -> [RESTExchange] {
        try ["rest-05-documents", "rest-07-bulk-docs", "rest-11-changes", "rest-14-attachments", "rest-02-users"]
            .flatMap { try RESTRecording.load($0).servers.flatMap(\.exchanges) }
    }

    /// The JSON that went to and fro, in its exact spelling.
    static func bodies() throws -> [[UInt8]] {
        try messages().compactMap { $0.body.bytes }.filter { !$0.isEmpty && $0.count < 2_000 }
    }
}
