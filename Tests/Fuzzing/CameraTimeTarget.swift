import FieldRecords
import Foundation

extension FuzzTarget {
    /// The beginning of a photo, which may come from anywhere.
    static let cameraTime = FuzzTarget(
        name: "camera-time",
        seeds: {
            // A text at 44, the directory of two tags at 26, both byte orders.
            let little: [UInt8] =
                [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
                + [1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0] + Array("2026:03:04 10:15:07".utf8) + [
                    0
                ]
            let exif = Array("Exif\0\0".utf8) + little
            let length = exif.count + 2
            let jpeg: [UInt8] =
                [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + exif + [0xFF, 0xD9]
            return [jpeg, little, [0xFF, 0xD8, 0xFF, 0xDA, 0, 2]]
        }
    ) { bytes in
        guard let time = CameraTime(jpeg: bytes) else { return }
        check((0..<86_400).contains(time.secondOfDay), "no time of a day: \(time)")
        _ = time.moment(in: .gmt)
    }
}
