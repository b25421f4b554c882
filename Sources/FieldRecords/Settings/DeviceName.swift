import Glibc

/// The name of a device in records: its host's name and three characters, because many laptops are called `debian`.
public enum DeviceName {
    /// Such as `mara-thinkpad-k3m`.
    public static func make(using generator: inout some RandomNumberGenerator) -> String {
        host + "-" + RecordIDs.text(ofLength: 3, using: &generator)
    }

    /// The first part of the host's name in small letters, digits and `-`; `laptop` if none are left.
    public static var host: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "laptop" }
        return plain(bytes.prefix { $0 != 0 })
    }

    static func plain(_ host: some Sequence<UInt8>) -> String {
        let name = host.prefix { $0 != UInt8(ascii: ".") }.compactMap { byte -> UInt8? in
            switch byte {
            case 0x41...0x5A: byte + 0x20
            case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"): byte
            default: nil
            }
        }
        return name.isEmpty ? "laptop" : String(decoding: name.prefix(longest), as: UTF8.self)
    }

    /// Bytes: a list has to have room for it.
    private static let longest = 24
}

extension FolderSettings {
    /// Gives the device a name where it has none yet.
    mutating func nameDevice() {
        guard device == nil else { return }
        var generator = SystemRandomNumberGenerator()
        device = DeviceName.make(using: &generator)
    }
}
