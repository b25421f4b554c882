import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Builds answers in the shapes that Sync Gateway's clients know.
extension Response {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        bytes(value.bytes, type: "application/json", status: status, headers: headers)
    }

    static func bytes(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func empty(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentLength] = "0"
        return Response(status: status, headers: headers)
    }

    /// `{"error":…,"reason":…}`
    static func error(_ error: GatewayError, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        if error.status == 503 || error.status == 429, headers[.retryAfter] == nil { headers[.retryAfter] = "2" }
        return json(
            ["error": .string(error.name), "reason": .string(error.reason)],
            status: HTTPResponse.Status(code: error.status), headers: headers)
    }
}

extension HTTPFields {
    static func etag(_ revision: String) -> HTTPFields { [.eTag: "\"\(revision)\""] }
}
