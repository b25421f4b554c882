import FieldModels
import FieldRecords
import Foundation
import Testing

/// The time of a picture, according to its own data.
@Suite struct CameraTimeTests {
    /// A JPEG with the Exif block of a camera: two directories, the texts behind them.
    private static func jpeg(
        _ time: String = "2026:03:04 10:15:07", offset: String? = nil, isLittleEndian: Bool = true, before: [UInt8] = []
    ) -> [UInt8] {
        func number(_ value: Int, bytes count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, type: Int, count: Int, value: Int) -> [UInt8] {
            number(tag, bytes: 2) + number(type, bytes: 2) + number(count, bytes: 4) + number(value, bytes: 4)
        }
        let tags = offset == nil ? 1 : 2
        let texts = 26 + 2 + 12 * tags + 4
        var tiff = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, bytes: 2) + number(8, bytes: 4)
        tiff += number(1, bytes: 2) + entry(0x8769, type: 4, count: 1, value: 26) + number(0, bytes: 4)
        tiff += number(tags, bytes: 2) + entry(0x9003, type: 2, count: time.utf8.count + 1, value: texts)
        if offset != nil { tiff += entry(0x9011, type: 2, count: 7, value: texts + time.utf8.count + 1) }
        tiff += number(0, bytes: 4) + Array(time.utf8) + [0] + Array((offset ?? "").utf8) + [0]
        let block = Array("Exif\0\0".utf8) + tiff
        let length = block.count + 2
        return [0xFF, 0xD8] + before + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block + [
            0xFF, 0xDA, 0, 2,
        ]
    }

    @Test(arguments: [true, false]) func itIsRead(isLittleEndian: Bool) throws {
        let time = try #require(CameraTime(jpeg: Self.jpeg(isLittleEndian: isLittleEndian)))
        #expect(time.day.description == "2026-03-04" && time.secondOfDay == 10 * 3_600 + 15 * 60 + 7)
        let zone = try #require(TimeZone(secondsFromGMT: 3_600))
        #expect(time.moment(in: zone).description == "2026-03-04T09:15:07Z")
        let taken = try #require(CameraTime(jpeg: Self.jpeg(offset: "-05:30", isLittleEndian: isLittleEndian)))
        #expect(taken.moment(in: zone).description == "2026-03-04T15:45:07Z")
        // Puts it after the block that most programs write first.
        let other: [UInt8] = [0xFF, 0xE0, 0, 4, 1, 2]
        #expect(CameraTime(jpeg: Self.jpeg(before: other)) == CameraTime(jpeg: Self.jpeg()))
    }

    @Test(arguments: [
        "0000:00:00 00:00:00", "2026:13:04 10:15:07", "2026:03:04 24:00:00", "2026-03-04 10:15:07",
        "2026:03:04T10:15:07",
        "    :  :     :  :  ", "2026:03:04 10:15:0x", "2026:03:04",
    ])
    func whatIsNoTimeIsNone(text: String) { #expect(CameraTime(jpeg: Self.jpeg(text)) == nil) }

    @Test func aDamagedBlockIsNone() {
        let whole = Self.jpeg()
        for length in 0..<(whole.count - 5) { #expect(CameraTime(jpeg: Array(whole.prefix(length))) == nil) }
        // No value of any byte crashes the reader.
        for index in whole.indices {
            for value: UInt8 in [0, 0xFF] {
                var damaged = whole
                damaged[index] = value
                _ = CameraTime(jpeg: damaged)
            }
        }
    }

    @Test func aPhotoSaysWhenItWasTakenAndWhenItWasAttached() throws {
        let temporary = try TemporaryField()
        let field = temporary.field
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_700_000))
        let district = try #require(District("hill"))
        let day = CalendarDay(daysSince1970: 20_516)
        try field.inspections.add(Inspection(id: "i", site: "s", date: day, district: district), by: author)
        let file = temporary.root.appendingPathComponent("door.jpg")
        try Data(Self.jpeg(offset: "+00:00")).write(to: file)
        let photo = try field.photos.attach(file: file.path, toInspection: "i", caption: nil, by: author).photo
        #expect(photo.takenAt?.description == "2026-03-04T10:15:07Z" && photo.attachedAt == author.moment)
        try Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]).write(to: file)
        let other = try field.photos.attach(file: file.path, toInspection: "i", caption: nil, by: author).photo
        #expect(other.takenAt == nil && other.attachedAt == author.moment)
        #expect(try field.inspections.find("i")?.photos.map(\.attachedAt) == [author.moment, author.moment])
    }
}
