import Foundation

/// Runs libFuzzer on the target that `FIELDBOOK_FUZZ_TARGET` names; without it, says which there are. The arguments are
/// libFuzzer's own; the first folder among them gets the target's seeds.
@main enum FuzzerEntry {
    static let selected: FuzzTarget? = {
        let name = ProcessInfo.processInfo.environment["FIELDBOOK_FUZZ_TARGET"] ?? ""
        return FuzzTarget.all.first { $0.name == name }
    }()

    static func main() throws {
        guard let selected else { return print(FuzzTarget.all.map(\.name).joined(separator: "\n")) }
        if let folder = CommandLine.arguments.dropFirst().first(where: isFolder) {
            for (index, seed) in try selected.seeds().enumerated() {
                try Data(seed).write(to: URL(fileURLWithPath: folder).appendingPathComponent("seed-\(index)"))
            }
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, testOneInput))
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// libFuzzer has no header that Swift could import.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // Most inputs deserve to be refused, and a refusal says nothing that the fuzzer could use.
    do { try FuzzerEntry.selected?.run(bytes) } catch { return 0 }
    return 0
}
