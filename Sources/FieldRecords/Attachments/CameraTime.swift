import FieldModels
import Foundation

/// When a camera took a picture, by the picture's own account: `DateTimeOriginal` of the Exif block of a JPEG file.
///
/// Anything that is not exactly as the standard has it counts as no account at all.
public struct CameraTime: Sendable, Hashable {
    /// As the camera's clock showed it.
    public let day: CalendarDay
    public let secondOfDay: Int
    /// Seconds east of Greenwich; most cameras do not say.
    public let offset: Int?

    /// - Parameter jpeg: the file's beginning; the block is before the picture.
    public init?(jpeg: [UInt8]) {
        guard let block = Self.block(of: jpeg), let tags = ExifTags(block) else { return nil }
        let text = tags.text(ExifTags.dateTimeOriginal, length: 20)
        guard let text, text[4] == UInt8(ascii: ":"), text[7] == UInt8(ascii: ":"), text[10] == UInt8(ascii: " "),
            let day = CalendarDay(String(decoding: text[0..<4] + text[5..<7] + text[8..<10], as: UTF8.self)),
            let second = Self.second(text[11..<19])
        else { return nil }
        self.day = day
        secondOfDay = second
        offset = tags.text(ExifTags.offsetTimeOriginal, length: 7).flatMap { Self.offset(Array($0)) }
    }

    /// - Parameter zone: where the camera's clock was set, if it does not say so.
    public func moment(in zone: TimeZone) -> Timestamp {
        let local = Int64(day.daysSince1970) * 86_400 + Int64(secondOfDay)
        if let offset { return Timestamp(secondsSince1970: local - Int64(offset)) }
        // The offset of the moment itself, which may be on the other side of a change of the clocks.
        let near = local - Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local))))
        let exact = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(near)))
        return Timestamp(secondsSince1970: local - Int64(exact))
    }

    /// Segments follow each other, each with its length, until the picture begins.
    private static func block(of jpeg: [UInt8]) -> [UInt8]? {
        guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
        var start = 2
        while start + 4 <= jpeg.count, jpeg[start] == 0xFF {
            let marker = jpeg[start + 1]
            let length = Int(jpeg[start + 2]) << 8 | Int(jpeg[start + 3])
            let end = start + 2 + length
            guard length >= 2, end <= jpeg.count, marker != 0xDA, marker != 0xD9 else { return nil }
            let content = jpeg[(start + 4)..<end]
            if marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) { return Array(content.dropFirst(6)) }
            start = end
        }
        return nil
    }

    /// `10:15:00`.
    private static func second(_ text: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(text)
        guard bytes.count == 8, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
            let hour = number(bytes[0..<2]), let minute = number(bytes[3..<5]), let second = number(bytes[6..<8]),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// `+02:00`.
    private static func offset(_ bytes: [UInt8]) -> Int? {
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hour = number(bytes[1..<3]),
            let minute = number(bytes[4..<6]), hour < 15, minute < 60
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hour * 3_600 + minute * 60
        case UInt8(ascii: "-"): return -(hour * 3_600 + minute * 60)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}

/// The texts of an Exif block, which is laid out as a TIFF file: a directory of tags, and in it the offset of another.
private struct ExifTags {
    static let dateTimeOriginal = 0x9003
    static let offsetTimeOriginal = 0x9011
    private static let exifDirectory = 0x8769
    private static let ascii = 2
    private static let long = 4

    private let bytes: [UInt8]
    private let isLittleEndian: Bool
    private var directory = 0

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        switch bytes.prefix(2) {
        case [0x49, 0x49]: isLittleEndian = true
        case [0x4D, 0x4D]: isLittleEndian = false
        default: return nil
        }
        guard number(at: 2, bytes: 2) == 42, let first = number(at: 4, bytes: 4) else { return nil }
        directory = first
        guard let entry = entry(Self.exifDirectory), entry.type == Self.long, entry.count == 1,
            let second = number(at: entry.value, bytes: 4)
        else { return nil }
        directory = second
    }

    /// A text of exactly this length, without the zero that ends it.
    func text(_ tag: Int, length: Int) -> ArraySlice<UInt8>? {
        guard let entry = entry(tag), entry.type == Self.ascii, entry.count == length,
            let offset = number(at: entry.value, bytes: 4), offset <= bytes.count - length,
            bytes[offset + length - 1] == 0
        else { return nil }
        // Counted from 0, whatever the text's offset in the block.
        return Array(bytes[offset..<(offset + length - 1)])[...]
    }

    private func entry(_ tag: Int) -> (type: Int, count: Int, value: Int)? {
        guard let count = number(at: directory, bytes: 2) else { return nil }
        for index in 0..<min(count, FieldRecordsLimits.exifTags) {
            let start = directory + 2 + index * 12
            guard let found = number(at: start, bytes: 2) else { return nil }
            guard found == tag else { continue }
            guard let type = number(at: start + 2, bytes: 2), let count = number(at: start + 4, bytes: 4) else {
                return nil
            }
            return (type, count, start + 8)
        }
        return nil
    }

    private func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        let part = bytes[offset..<(offset + count)]
        return isLittleEndian
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
}
