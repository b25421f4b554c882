extension FirstRequestRecorder.Excess {
    /// The answer to a first request of which no more can be kept, in the shape of the gateway's other errors.
    var answer: String {
        switch self {
        case .memory:
            Self.answer(
                "503 Service Unavailable",
                reason: "There are too many bytes of large requests at once; try again later",
                headers: ["Retry-After: 2"])
        case .length:
            Self.answer("400 Bad Request", reason: "Nothing may be sent before the WebSocket is open", headers: [])
        }
    }

    private static func answer(_ status: String, reason: String, headers: [String]) -> String {
        let error = status.drop { $0 != " " }.dropFirst()
        let body = #"{"error":"\#(error)","reason":"\#(reason)"}"#
        let lines =
            ["HTTP/1.1 \(status)", "Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + headers
            + ["Connection: close", "", body]
        return lines.joined(separator: "\r\n")
    }
}
