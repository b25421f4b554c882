import Foundation
import Glibc

/// nginx before a gateway, with the configuration that `docs/gateway.md` shows.
final class Balancer {
    /// Where it is installed, if it is.
    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let port = freePort()
    private let folder: URL
    private var running: RunningProgram?

    /// - Parameter ports: of the gateways.
    init(_ ports: [Int]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(configuration(ports).utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        try start()
    }

    deinit {
        running?.signal(SIGTERM)
        _ = running?.finish(limit: 10)
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        let program = try RunningProgram(
            URL(fileURLWithPath: Self.program ?? ""),
            ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"], input: "")
        running = program
        guard eventually(within: 10, { isListening(port) }) else {
            throw Gateway.Failure(text: "nginx did not come up: \(program.finish(limit: 0).err) \(log)")
        }
    }

    func stop() {
        running?.signal(SIGTERM)
        _ = running?.finish(limit: 10)
        running = nil
    }

    func reload() { running?.signal(SIGHUP) }

    /// Kills the process that holds the connections; nginx starts another.
    func killWorker() {
        let old = workers
        for worker in old { kill(worker, SIGKILL) }
        _ = eventually(within: 10) { !workers.isEmpty && Set(workers).isDisjoint(with: old) }
    }

    private var workers: [Int32] {
        guard let master = running?.identifier,
            let text = try? String(contentsOfFile: "/proc/\(master)/task/\(master)/children", encoding: .utf8)
        else { return [] }
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    private var log: String {
        (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
    }

    private func configuration(_ ports: [Int]) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \($0);" }.joined(separator: " ")
        let servers = ports.map { "server 127.0.0.1:\($0) fail_timeout=1s;" }.joined(separator: " ")
        return """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            worker_shutdown_timeout 1s;
            pid nginx.pid;
            events { worker_connections 128; }
            http {
                access_log off;
                \(temporary)
                map $http_upgrade $connection_upgrade { default upgrade; '' close; }
                upstream gateway { \(servers) }
                server {
                    listen 127.0.0.1:\(port);
                    client_max_body_size 20m;
                    location / {
                        proxy_pass http://gateway;
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header Upgrade $http_upgrade;
                        proxy_set_header Connection $connection_upgrade;
                        proxy_read_timeout 360s;
                        proxy_buffering off;
                    }
                }
            }

            """
    }
}

/// Whether somebody takes connections there.
private func isListening(_ port: Int) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
