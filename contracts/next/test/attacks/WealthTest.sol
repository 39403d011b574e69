// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @notice What an account owns on the market, so that a test can compute what each side won or lost.
abstract contract WealthTest is MarketTest {
    struct Wealth {
        int256 tok;
        int256 usdc;
    }

    int256 internal constant D = int256(uint256(TOTAL));
    int256 internal constant F = D / 20;
    int256 internal constant A = int256(uint256(FEE));

    /// @dev One bond of collateral.
    function bondUsdc() internal view returns (int256) {
        return int256(uint256(parameters().bondUsdc));
    }

    function wealthOf(address agent) internal view returns (Wealth memory) {
        return Wealth(int256(tok.balanceOf(agent)), int256(usdc.balanceOf(agent)) + int256(uint256(depositOf(agent))));
    }

    function assertWon(
        address agent,
        Wealth memory before,
        int256 tokWon,
        int256 usdcWon,
        string memory name
    ) internal view {
        Wealth memory current = wealthOf(agent);
        assertEq(current.tok - before.tok, tokWon, string.concat(name, ", TOK"));
        assertEq(current.usdc - before.usdc, usdcWon, string.concat(name, ", USDC"));
    }

    function clock() internal view returns (uint64) {
        return uint64(vm.getBlockTimestamp());
    }

    function noMilestones() internal pure returns (uint96[] memory) {
        return new uint96[](0);
    }

    function pair(uint96 first, uint96 second) internal pure returns (uint96[] memory amounts) {
        amounts = new uint96[](2);
        (amounts[0], amounts[1]) = (first, second);
    }

    function endTrial() internal {
        skip(parameters().minReview + 1);
    }

    function rule(uint256 taskId, uint16 workerBps) internal {
        address judge = court.disputeOf(taskId).judge;
        courtAs(judge).resolveDispute(taskId, workerBps, REASON, REASON_URI);
    }

    function concede(address party, uint256 taskId) internal {
        Phase phase = court.phaseOf(taskId);
        courtAs(party).concede(taskId, phase);
    }

    // Work that a newcomer does for a poster that vouches for it

    function vouchedTerms(uint96[] memory amounts) internal view returns (TaskTerms memory terms) {
        terms = signedTerms(Scope.OPEN, amounts);
        terms.vouched = true;
        terms.salt = keccak256(abi.encode("vouched", registry.taskCount()));
    }

    function vouched(uint96[] memory amounts) internal returns (uint256 taskId, address newcomer) {
        uint256 key;
        (newcomer, key) = makeAddrAndKey("newcomer");
        TaskTerms memory terms = vouchedTerms(amounts);
        terms.worker = newcomer;
        bytes memory workerSig = signWith(key, registry.hashTerms(terms));
        taskId = registryAs(poster).createTask(terms, amounts, workerSig, "", TOTAL);
    }

    /// @dev Nothing is locked, in escrow or in the court beside the bonds of arbitrators, and deposits add up.
    function assertNothingLeft(uint256 taskId) internal view {
        assertEq(escrow.heldOf(taskId), 0, "escrow");
        assertEq(tok.balanceOf(address(court)), court.totalBonded(), "court");
        assertEq(uint256(lockedOf(poster)) + lockedOf(worker) + lockedOf(rival), 0, "locked");
        assertEq(usdc.balanceOf(address(deposits)), deposits.totalHeld(), "deposits");
    }
}
