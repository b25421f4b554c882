import DocumentValues
import Foundation
import SyncFunction

/// When a document ends: `_exp` and `expiry(…)`.
enum Expiry {
    /// Seconds since 1970; `nil` for never.
    static func time(_ value: JSONValue, now: Int64) throws(GatewayError) -> Int64? {
        switch value {
        case .null: return nil
        case .number(let number):
            guard let seconds = number.int64 else {
                throw GatewayError.invalidExpiry("strconv.ParseInt: parsing \"\(quoted(number.text))\": invalid syntax")
            }
            return try time(seconds: seconds, now: now)
        case .string(let text): return try time(text: text, now: now)
        case .bool, .array, .object: throw GatewayError.invalidExpiry("Unrecognized expiry format")
        }
    }

    /// The time of a sync function counts more than that of the document, even if it is "never". An invalid value is
    /// ignored, as in Sync Gateway.
    static func time(
        _ expiry: SyncFunctionOutcome.Expiry?, now: Int64, otherwise stated: Int64?
    ) -> Int64? {
        do throws(GatewayError) {
            return switch expiry {
            case nil: stated
            case .seconds(let seconds): try time(seconds: seconds, now: now)
            case .text(let text): try time(text: text, now: now)
            }
        } catch {
            return stated
        }
    }

    private static func time(seconds: Int64, now: Int64) throws(GatewayError) -> Int64? {
        guard (0...Int64(UInt32.max)).contains(seconds) else {
            throw GatewayError.invalidExpiry("Expiry value is not within valid range: \(seconds)")
        }
        guard seconds > 0 else { return nil }
        return seconds <= GatewayLimits.relativeExpiry ? now + seconds : seconds
    }

    private static func time(text: String, now: Int64) throws(GatewayError) -> Int64? {
        if let seconds = Int64(text) { return try time(seconds: seconds, now: now) }
        for withFractions in [false, true] {
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: withFractions)
            if let date = try? Date(text, strategy: format) { return Int64(date.timeIntervalSince1970) }
        }
        throw invalid(text)
    }

    private static func invalid(_ text: String) -> GatewayError {
        let layout = "2006-01-02T15:04:05Z07:00"
        let text = quoted(text)
        return GatewayError.invalidExpiry(
            "Unable to parse expiry \(text) as either numeric or date expiry: "
                + "parsing time \"\(text)\" as \"\(layout)\": cannot parse \"\(text)\" as \"2006\"")
    }

    /// Shortened, because a reason is for people, and the text may have the size of a document.
    private static func quoted(_ text: String) -> String { text.shortened(toBytes: GatewayLimits.quotedExpiry) }
}
