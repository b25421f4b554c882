import AccessControl
import DocumentValues

extension DocumentChannels {
    /// The stored form: `[[channel, since] …, [channel, start, end, isLatest] …]`.
    init(text: String) throws {
        // Most documents have no channels; this saves them the reading of JSON.
        if text == "[]" {
            self.init()
            return
        }
        var current: [Name: UInt64] = [:]
        var past: [Removal] = []
        for element in try JSONValue(parsing: text).arrayValue ?? [] {
            guard let cells = element.arrayValue, cells.count >= 2, let name = cells[0].stringValue.map({ Name($0) }),
                let start = cells[1].numberValue?.uint64
            else { throw GatewayError.damaged("channels") }
            if cells.count == 2 {
                current[name] = start
            } else if cells.count == 4, let end = cells[2].numberValue?.uint64 {
                past.append(
                    Removal(
                        channel: name, span: SequenceSpan(start: start, end: end),
                        isLatest: cells[3].boolValue ?? false))
            }
        }
        self.init(current: current, past: past)
    }

    var text: String {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (name, since) in current.sorted(by: { $0.key < $1.key }) {
            Self.begin(name, sequence: since, bytes: &bytes)
            bytes.append(UInt8(ascii: "]"))
        }
        for removal in past {
            Self.begin(removal.channel, sequence: removal.span.start, bytes: &bytes)
            bytes.append(contentsOf: ",\(removal.span.end),\(removal.isLatest)]".utf8)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func begin(_ name: Name, sequence: UInt64, bytes: inout [UInt8]) {
        bytes.append(contentsOf: bytes.count > 1 ? ",[".utf8 : "[".utf8)
        JSONWriter.appendString(name.text, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: String(sequence).utf8)
    }
}
