/// All receivers of the service's reports.
struct ServiceReports {
    let reporters: [any ServiceReporting]
    let wording: any SyncWording

    func send(_ event: ServiceEvent) { reporters.forEach { $0.report(event) } }

    func remark(_ remark: ServiceRemark) { send(.remark(remark)) }

    /// For an error that does not end the service.
    func remark(_ error: any Error) { remark(.failed(why: wording.text(of: error))) }
}
