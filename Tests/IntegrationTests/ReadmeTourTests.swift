import Foundation
import Testing

/// The tour in the README, line by line as it is there.
@Suite(.serialized) struct ReadmeTourTests {
    @Test(.timeLimit(.minutes(2))) func theTourRunsAsWritten() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let tour = try #require(readme.components(separatedBy: "## A tour of five minutes").last)
            .components(separatedBy: "## For Swift developers")[0]
        let blocks = tour.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        try #require(blocks.count == 3)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Ports of this test's own, so that a gateway that runs on this machine is not in its way.
        let (publicPort, adminPort, metricsPort) = (freePort(), freePort(), freePort())
        let ports = "-e s/:4984/:\(publicPort)/ -e s/:4985/:\(adminPort)/ -e s/:4986/:\(metricsPort)/"
        let script =
            ([
                "set -e", "cd '\(folder.path)'",
                "PATH='\(Program.fieldbook.url.deletingLastPathComponent().path)':$PATH",
            ]
            + blocks).joined(separator: "\n")
            .replacingOccurrences(of: "sed -i ", with: "sed -i \(ports) ")
            .replacingOccurrences(of: "127.0.0.1:4985", with: "127.0.0.1:\(adminPort)")
            .replacingOccurrences(of: "127.0.0.1:4984", with: "127.0.0.1:\(publicPort)")
        let output = try RunningProgram(URL(fileURLWithPath: "/bin/bash"), ["-c", script], input: "").finish(limit: 60)
        #expect(output.status == 0, "\(output.out)\n\(output.err)")
        #expect(output.out.contains("Otter Café"))
        #expect(output.out.contains(#""text":"hello""#))
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("exported/inspections.csv").path))
    }
}
